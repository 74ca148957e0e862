import { findScenarios, loadScenarios, type Scenario } from '../scenarios/index.js';
import type { LoadNews } from '../stack/load-board.js';
import { disguise, MYSTERY } from '../workshop/index.js';
import type { RunView } from './api.js';
import { ConsoleError } from './errors.js';
import { createFollowedRun, type FollowedRun } from './followed-run.js';
import { createLiveRun, type LiveRun } from './live-run.js';
import { runOnStack, type StackUse } from './run-on-stack.js';

export interface StartOptions {
  scenario: string;
  plannedSeconds: number;
  /** False: the diagnosis is left to whoever looks; see `lab check`. */
  diagnosis: boolean;
}

/** The one run that the console follows: the one that goes on, else the last one it has seen. */
export interface RunSession {
  view(): RunView | null;
  /** Whether telemetry of this run has to be asked of the stack, as it is not on disk yet. */
  isGoing(id: string): boolean;
  /** A scenario by its name, or a mystery. Throws RUN_GOING, SCENARIO_UNKNOWN. */
  start(options: StartOptions): RunView;
  /** Ends the load; what was measured is kept. Throws NO_RUN. */
  stop(): void;
  /** A run whose diagnosis is open now is shown as what it is. */
  reveal(run: RunView): void;
  /** What the stack tells of loads, those of other processes among them. */
  take(news: LoadNews): void;
  /** Ends a run and waits until it is written. */
  close(): Promise<void>;
}

interface SessionOptions extends StackUse {
  /** A run on disk once it is there; null when it does not come. */
  recorded(id: string): Promise<RunView | null>;
}

/** Why a run was stopped, as its result says it. */
class StoppedByUser extends Error {
  override readonly name = 'StoppedByUser';
}

export function createRunSession(options: SessionOptions): RunSession {
  const { events } = options;
  let current: RunView | null = null;
  let live: LiveRun | null = null;
  let followed: FollowedRun | null = null;
  let ended: Promise<void> = Promise.resolve();
  let stopping = new AbortController();
  let loadBegun = false;

  const view = () => live?.view() ?? followed?.view() ?? current;
  const publish = () => {
    const now = view();
    if (now !== null) events.send('run', withoutPoints(now));
  };
  const show = (run: RunView) => {
    current = run;
    publish();
    events.send('points', { id: run.id, points: run.points });
    options.onKnobs();
  };

  const follow = async (
    run: LiveRun,
    scenario: Scenario | null,
    { plannedSeconds, diagnosis }: StartOptions,
  ) => {
    let finished: RunView | null = null;
    const { signal } = stopping;
    try {
      finished = await runOnStack({
        ...{ use: options, run, scenario, plannedSeconds, diagnosis, publish, signal },
      });
    } catch (error) {
      const { aborted } = signal;
      run.ended(
        aborted ? 'interrupted' : 'broken',
        aborted ? 'stopped before the load began' : (error as Error).message,
      );
    }
    live = null;
    show(finished ?? run.view());
  };
  /** A load of another process has ended; its folder comes a little later. */
  const leave = async (run: FollowedRun) => {
    followed = null;
    run.ended(
      run.view().scenario === MYSTERY
        ? ''
        : `process ${run.pid} has ended it, and its folder is not in ${options.runsDir}`,
    );
    show({ ...run.view(), state: 'finishing', detail: 'waiting for its folder' });
    const recorded = await options.recorded(run.id);
    if (current?.id === run.id && live === null) show(recorded ?? run.view());
  };

  return {
    view,
    isGoing: (id) =>
      view()?.id === id && (live !== null || followed !== null || current?.scenario === MYSTERY),
    start(wanted) {
      const going = live?.view() ?? followed?.view();
      if (going !== undefined) throw new ConsoleError('RUN_GOING', whyBusy(going));
      const scenario = wanted.scenario === MYSTERY ? null : (findScenarios([wanted.scenario])[0] as Scenario);
      const run = createLiveRun({
        scenario: scenario ?? hidden(),
        plannedSeconds: wanted.plannedSeconds,
        sealed: scenario === null || !wanted.diagnosis,
      });
      live = run;
      stopping = new AbortController();
      publish();
      options.onKnobs();
      ended = follow(run, scenario, wanted);
      return run.view();
    },
    stop() {
      if (live === null) {
        const elsewhere = followed?.view();
        throw new ConsoleError(
          'NO_RUN',
          elsewhere === undefined
            ? 'there is nothing to stop'
            : `${whyBusy(elsewhere)}; only there it can be stopped`,
        );
      }
      stopping.abort(new StoppedByUser('stopped from the console'));
    },
    reveal(run) {
      if (live === null && current?.id === run.id) show(run);
    },
    take(news) {
      const { load } = news;
      const foreign = load !== null && load.pid !== process.pid ? load : null;
      if (followed !== null && followed.id !== foreign?.run) void leave(followed);
      // Users can be set once the load has begun, and no longer than it lasts.
      const begun = load?.loadStartMs != null;
      if (begun !== loadBegun) options.onKnobs();
      loadBegun = begun;
      if (foreign === null) return;
      const before = followed === null ? '' : JSON.stringify(withoutPoints(followed.view()));
      followed ??= createFollowedRun(foreign);
      const points = followed.take(news);
      const now = followed.view();
      if (JSON.stringify(withoutPoints(now)) !== before) {
        publish();
        options.onKnobs();
      }
      if (points.length > 0) events.send('points', { id: now.id, points });
    },
    async close() {
      stopping.abort(new StoppedByUser('the console was ended'));
      await ended;
    },
  };
}

function whyBusy({ id, scenario, elsewhere }: RunView): string {
  const name = id || scenario;
  return elsewhere === null
    ? `${name} is going on; stop it first`
    : `${name} is run by another process (${elsewhere.pid}) on this stack; two at once would disturb each other`;
}

/** What a mystery is called. Which scenario is disguised here does not matter: their loads look alike. */
const hidden = (): Scenario => disguise(loadScenarios()[0] as Scenario);

function withoutPoints({ points: _points, ...rest }: RunView): Omit<RunView, 'points'> {
  return rest;
}
