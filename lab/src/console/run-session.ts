import { findScenarios, loadScenarios, type Scenario } from '../scenarios/index.js';
import { disguise, MYSTERY } from '../workshop/index.js';
import type { RunView } from './api.js';
import { ConsoleError } from './errors.js';
import { createLiveRun, type LiveRun } from './live-run.js';
import { runOnStack, type StackUse } from './run-on-stack.js';

/** The one run that the console follows: the one that goes on, else the last one it started. */
export interface RunSession {
  view(): RunView | null;
  /** Whether telemetry of this run has to be asked of the stack, as it is not on disk yet. */
  isGoing(id: string): boolean;
  /** Whether the stack's settings would give a mystery away. */
  hidesSettings(): boolean;
  /** A scenario by its name, or a mystery. Throws RUN_GOING, SCENARIO_UNKNOWN. */
  start(scenario: string, plannedSeconds: number): RunView;
  /** Ends the load; what was measured is kept. Throws NO_RUN. */
  stop(): void;
  /** A mystery that was solved is shown as what it was. */
  reveal(run: RunView): void;
  /** Ends a run and waits until it is written. */
  close(): Promise<void>;
}

/** Why a run was stopped, as its result says it. */
class StoppedByUser extends Error {
  override readonly name = 'StoppedByUser';
}

export function createRunSession(options: StackUse): RunSession {
  const { events } = options;
  let current: RunView | null = null;
  let live: LiveRun | null = null;
  let ended: Promise<void> = Promise.resolve();
  let stopping = new AbortController();

  const view = () => live?.view() ?? current;
  const publish = () => {
    const now = view();
    if (now !== null) events.send('run', withoutPoints(now));
  };
  const show = (run: RunView) => {
    current = run;
    live = null;
    publish();
    events.send('points', { id: run.id, points: run.points });
    options.onKnobs();
  };

  const follow = async (run: LiveRun, scenario: Scenario | null, plannedSeconds: number) => {
    let finished: RunView | null = null;
    const { signal } = stopping;
    try {
      finished = await runOnStack({ use: options, run, scenario, plannedSeconds, publish, signal });
    } catch (error) {
      const { aborted } = signal;
      run.ended(
        aborted ? 'interrupted' : 'broken',
        aborted ? 'stopped before the load began' : (error as Error).message,
      );
    }
    show(finished ?? run.view());
  };

  return {
    view,
    isGoing: (id) => view()?.id === id && (live !== null || current?.scenario === MYSTERY),
    hidesSettings() {
      const run = view();
      // One that can't be judged hides nothing any more.
      return run?.scenario === MYSTERY && (live !== null || (run.state === 'complete' && run.detail === ''));
    },
    start(name, plannedSeconds) {
      if (live !== null) {
        const going = live.view();
        throw new ConsoleError('RUN_GOING', `${going.id || going.scenario} is going on; stop it first`);
      }
      const scenario = name === MYSTERY ? null : (findScenarios([name])[0] as Scenario);
      const run = createLiveRun({ scenario: scenario ?? hidden(), plannedSeconds });
      live = run;
      stopping = new AbortController();
      publish();
      options.onKnobs();
      ended = follow(run, scenario, plannedSeconds);
      return run.view();
    },
    stop() {
      if (live === null) throw new ConsoleError('NO_RUN', 'there is nothing to stop');
      stopping.abort(new StoppedByUser('stopped from the console'));
    },
    reveal(run) {
      if (live === null && current?.id === run.id) show(run);
    },
    async close() {
      stopping.abort(new StoppedByUser('the console was ended'));
      await ended;
    },
  };
}

/** What a mystery is called. Which scenario is disguised here does not matter: their loads look alike. */
const hidden = (): Scenario => disguise(loadScenarios()[0] as Scenario);

function withoutPoints({ points: _points, ...rest }: RunView): Omit<RunView, 'points'> {
  return rest;
}
