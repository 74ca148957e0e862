import { runSeries } from '../cli/run-series.js';
import { openStackSession } from '../cli/stack-session.js';
import type { Terminal } from '../cli/terminal.js';
import { findScenarios, type Scenario } from '../scenarios/index.js';
import { localTarget } from '../targets/local-target.js';
import type { RunView } from './api.js';
import { ConsoleError } from './errors.js';
import type { EventHub } from './event-hub.js';
import { createLiveRun, type LiveRun } from './live-run.js';
import { recordedRun } from './recorded-run.js';

export interface RunSessionOptions {
  stateDir: string;
  runsDir: string;
  seed: number;
  port: number;
  cosmosEndpoint: string | null;
  terminal: Terminal;
  events: EventHub;
  /** The knobs of the stack have other values now. */
  onKnobs: () => void;
}

/** The one run that the console follows: the one that goes on, else the last one it started. */
export interface RunSession {
  view(): RunView | null;
  /** Whether telemetry of this run has to be asked of the stack, as it is not on disk yet. */
  isGoing(id: string): boolean;
  /** Throws RUN_GOING, SCENARIO_UNKNOWN. */
  start(scenario: string, plannedSeconds: number): RunView;
  /** Ends the load; what was measured is kept. Throws NO_RUN. */
  stop(): void;
  /** Ends a run and waits until it is written. */
  close(): Promise<void>;
}

/** Why a run was stopped, as its result says it. */
class StoppedByUser extends Error {
  override readonly name = 'StoppedByUser';
}

export function createRunSession(options: RunSessionOptions): RunSession {
  const { events } = options;
  let current: RunView | null = null;
  let live: LiveRun | null = null;
  let ended: Promise<void> = Promise.resolve();
  let stopping = new AbortController();

  const view = () => live?.view() ?? current;
  const publish = () => {
    const now = view();
    if (now === null) return;
    const { points: _points, ...rest } = now;
    events.send('run', rest);
  };

  const follow = async (run: LiveRun, scenario: Scenario, plannedSeconds: number) => {
    let finished: RunView | null = null;
    try {
      finished = await loadOnStack({
        options,
        run,
        scenario,
        plannedSeconds,
        publish,
        signal: stopping.signal,
      });
    } catch (error) {
      const stopped = stopping.signal.aborted;
      run.ended(
        stopped ? 'interrupted' : 'broken',
        stopped ? 'stopped before the load began' : (error as Error).message,
      );
    }
    current = finished ?? run.view();
    live = null;
    events.send('run', withoutPoints(current));
    events.send('points', { id: current.id, points: current.points });
    options.onKnobs();
  };

  return {
    view,
    isGoing: (id) => live !== null && live.view().id === id,
    start(name, plannedSeconds) {
      if (live !== null) {
        const going = live.view();
        throw new ConsoleError('RUN_GOING', `${going.id || going.scenario} is going on; stop it first`);
      }
      const [scenario] = findScenarios([name]) as [Scenario];
      const run = createLiveRun({ scenario, plannedSeconds });
      live = run;
      stopping = new AbortController();
      publish();
      ended = follow(run, scenario, plannedSeconds);
      return run.view();
    },
    stop() {
      if (live === null) throw new ConsoleError('NO_RUN', 'there is nothing to stop');
      stopping.abort(new StoppedByUser('stopped from the console'));
    },
    async close() {
      stopping.abort(new StoppedByUser('the console was ended'));
      await ended;
    },
  };
}

function withoutPoints({ points: _points, ...rest }: RunView): Omit<RunView, 'points'> {
  return rest;
}

/** Runs it as `lab run` does, on the stack that runs or on one that lives as long as the run. */
async function loadOnStack(context: {
  options: RunSessionOptions;
  run: LiveRun;
  scenario: Scenario;
  plannedSeconds: number;
  publish: () => void;
  signal: AbortSignal;
}): Promise<RunView | null> {
  const { options, run, scenario, plannedSeconds, publish, signal } = context;
  const { stateDir, runsDir, seed, terminal, events } = options;
  const session = await openStackSession({
    ...{ stateDir, seed, signal },
    port: options.port,
    cosmosEndpoint: options.cosmosEndpoint,
    telemetry: null,
    keep: false,
    onReuse: () => {},
    onPhase(event) {
      run.phase(event);
      publish();
    },
  });
  let finished: RunView | null = null;
  try {
    await runSeries({
      scenarios: [scenario],
      target: await localTarget(session.client),
      ...{ runsDir, plannedSeconds, seed, signal },
      engine: 'builtin',
      check: false,
      json: false,
      // The result is shown in the browser.
      terminal: { ...terminal, result: () => {} },
      observer: {
        onStart: ({ id }) => run.started(id),
        onPhase(event) {
          run.phase(event);
          publish();
          if (event.name === 'knobs' && event.state === 'end') options.onKnobs();
        },
        onSecond(second, source) {
          const first = second.second === 0;
          const point = run.second(second, source);
          if (first) publish();
          events.send('points', { id: run.view().id, points: [point] });
        },
        onTurn(turn) {
          run.turned(turn);
          publish();
          options.onKnobs();
        },
        onEnd({ recording, result }) {
          finished = recordedRun(recording, result);
        },
      },
    });
  } finally {
    await session.close();
  }
  return finished;
}
