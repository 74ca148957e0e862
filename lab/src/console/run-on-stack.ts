import { randomBytes } from 'node:crypto';
import type { RunObserver } from '../cli/run-series.js';
import { runSeries } from '../cli/run-series.js';
import { openStackSession } from '../cli/stack-session.js';
import type { Terminal } from '../cli/terminal.js';
import type { Scenario } from '../scenarios/index.js';
import { localTarget } from '../targets/local-target.js';
import type { Target } from '../targets/target.js';
import { runMystery } from '../workshop/run-mystery.js';
import type { RunView } from './api.js';
import type { EventHub } from './event-hub.js';
import type { LiveRun } from './live-run.js';
import { recordedRun } from './recorded-run.js';

export interface StackUse {
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

interface RunContext {
  use: StackUse;
  run: LiveRun;
  /** Null: a mystery. */
  scenario: Scenario | null;
  plannedSeconds: number;
  /** False: the run is sealed. */
  diagnosis: boolean;
  publish: () => void;
  signal: AbortSignal;
}

/** Runs it as `lab run` does, on the stack that runs or on one that lives as long as the run. */
export async function runOnStack(context: RunContext): Promise<RunView | null> {
  const { use, run, scenario, publish, signal } = context;
  const { stateDir, seed, port, cosmosEndpoint } = use;
  const session = await openStackSession({
    ...{ stateDir, seed, port, cosmosEndpoint, signal },
    telemetry: null,
    keep: false,
    onReuse: () => {},
    onPhase(event) {
      run.phase(event);
      publish();
    },
  });
  try {
    const target = await localTarget(session.client);
    return scenario === null
      ? await playMystery(target, context)
      : await playScenario(target, scenario, context);
  } finally {
    await session.close();
  }
}

async function playScenario(
  target: Target,
  scenario: Scenario,
  context: RunContext,
): Promise<RunView | null> {
  const { use, plannedSeconds, diagnosis, signal } = context;
  const { runsDir, seed, terminal } = use;
  let finished: RunView | null = null;
  await runSeries({
    ...{ target, runsDir, plannedSeconds, seed, signal, diagnosis },
    scenarios: [scenario],
    engine: 'builtin',
    check: false,
    json: false,
    // The result is shown in the browser.
    terminal: { ...terminal, result: () => {} },
    observer: {
      ...observerOf(context),
      onEnd({ recording, result }) {
        finished = recordedRun(recording, result);
      },
    },
  });
  return finished;
}

/** The terminal is told nothing: whoever plays may see it. */
async function playMystery(target: Target, context: RunContext): Promise<RunView | null> {
  const { use, run, plannedSeconds, signal } = context;
  const observer = observerOf(context);
  const result = await runMystery({
    ...{ target, plannedSeconds, signal },
    runsDir: use.runsDir,
    seed: randomBytes(4).readUInt32BE(),
    engine: 'builtin',
    onStart: (id) => run.started(id),
    onPhase: observer.onPhase,
    onSecond: observer.onSecond,
    onTurn: observer.onTurn,
    onFailure: () => {},
  });
  const failed = result.validity.checks.filter(({ ok }) => ok === false).map(({ text }) => text);
  const invalid = `the machine was too busy (${failed.join('; ')}), so nothing can be judged; start another one`;
  run.ended(result.status, result.status === 'complete' && !result.validity.valid ? invalid : result.reason);
  return null;
}

function observerOf({ use, run, publish }: RunContext): Omit<RunObserver, 'onEnd'> {
  return {
    onStart: ({ id }) => run.started(id),
    onPhase(event) {
      run.phase(event);
      publish();
      if (event.name === 'knobs' && event.state === 'end') use.onKnobs();
    },
    onSecond(second, source) {
      const point = run.second(second, source);
      if (second.second === 0) publish();
      use.events.send('points', { id: run.view().id, points: [point] });
    },
    onTurn(turn) {
      run.turned(turn);
      publish();
      use.onKnobs();
    },
  };
}
