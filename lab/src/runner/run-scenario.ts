import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LoadRecord, LoadSecond, Recording, RunStatus } from '../recording/index.js';
import { loadRows } from '../recording/index.js';
import { type AppliedKnobs, applyLength, type Scenario } from '../scenarios/index.js';
import { describeFailure } from '../stack/failure-watch.js';
import type { OnPhase } from '../stack/phases.js';
import { phase } from '../stack/phases.js';
import type { StackFailure } from '../stack/stack-status.js';
import type { Target } from '../targets/target.js';
import type { LiveSecond } from './live-second.js';
import { liveView } from './live-view.js';
import type { EngineName, LoadOutcome, StartLoad } from './load-engine.js';
import { describeMachine } from './machine.js';
import { createMachineSampler } from './machine-sampler.js';
import { createRowCollector, type RowCollector } from './row-collector.js';
import { newRunId } from './run-id.js';
import { usedVersions } from './versions.js';
import { warmUp } from './warm-up.js';
import { everySecond } from './whole-seconds.js';

export interface RunOptions {
  scenario: Scenario;
  target: Target;
  plannedSeconds: number;
  seed: number;
  engine: EngineName;
  startLoad: StartLoad;
  onPhase: OnPhase;
  onSecond: (second: LiveSecond) => void;
  /** Ends the load early; what was measured is still returned, marked as interrupted. */
  signal: AbortSignal;
}

/** Applies a scenario to a target, warms up, loads, and records. Breaking off is a status, not an error. */
export async function runScenario(options: RunOptions): Promise<Recording> {
  const { scenario, target, plannedSeconds, seed, onPhase, signal } = options;
  const id = newRunId(scenario.name);
  const knobs = applyLength(scenario.knobs, plannedSeconds);
  await prepare(options, knobs);
  signal.throwIfAborted();

  const endOf = ({ outcome, failure }: LoadRecording) =>
    statusOf({ outcome, failure, interrupted: signal.aborted });
  const record = await phase({ name: 'load', onPhase, detail: (recorded) => endOf(recorded).reason }, () =>
    recordLoad(options, id),
  );
  const { outcome, collector } = record;
  const { status, reason } = endOf(record);
  return {
    meta: {
      id,
      scenario,
      knobs,
      status,
      reason,
      loadStartMs: outcome.loadStartMs,
      plannedSeconds: outcome.plannedSeconds || plannedSeconds,
      seed,
      telemetry: false,
      target: target.describe(),
      machine: describeMachine(),
      versions: usedVersions(outcome.engine),
      calibration: await target.calibration().catch(() => null),
    },
    rows: [...collector.rows, ...loadRows(outcome.seconds, outcome.loadStartMs)],
    load: loadRecord(scenario, outcome),
    machineSamples: record.machineSamples,
  };
}

/** Knobs, warm-up without the model, then the model from its seed: nothing of the warm-up is left in it. */
async function prepare(options: RunOptions, knobs: AppliedKnobs): Promise<void> {
  const { target, seed, onPhase, signal } = options;
  await phase(
    {
      name: 'knobs',
      onPhase,
      detail: ({ changed }) => (changed.length === 0 ? 'as they were' : changed.join('; ')),
    },
    () => target.applyKnobs(knobs, { seed, model: 'off' }),
  );
  await phase({ name: 'warm-up', onPhase, detail: ({ requests }) => `${requests} requests` }, () =>
    warmUp({ gatewayUrl: target.gatewayUrl, seed, signal }),
  );
  await target.applyKnobs(knobs, { seed, model: 'on' });
  await target.reset(seed);
}

interface LoadRecording {
  outcome: LoadOutcome;
  failure: StackFailure | null;
  collector: RowCollector;
  machineSamples: Recording['machineSamples'];
}

const FINAL_POLL_MS = 10_000;

async function recordLoad(options: RunOptions, id: string): Promise<LoadRecording> {
  const { target, scenario, plannedSeconds, seed, signal } = options;
  const pids = [process.pid, ...(await target.pids())];
  const collector = createRowCollector({
    sources: await target.sources(),
    afterSecond: Math.floor(Date.now() / 1000) - 1,
  });
  const sampler = createMachineSampler({ ownPids: () => pids });
  const outDir = mkdtempSync(path.join(os.tmpdir(), 'bottleneck-lab-load-'));
  const load = options.startLoad({
    engine: options.engine,
    outDir,
    env: {
      BASE_URL: target.gatewayUrl,
      PROFILE: scenario.load.profile,
      DURATION_S: String(plannedSeconds),
      RUN_ID: id,
      SCENARIO: scenario.name,
      SEED: String(seed),
    },
  });
  const view = liveView({ plannedSeconds, onSecond: options.onSecond });
  const ticks = everySecond(() => {
    sampler.sample();
    void collector.poll().then((rows) => view.addRows(rows, collector.completeSecond()));
  });
  const watching = new AbortController();
  const stopLoad = () => load.stop();
  signal.addEventListener('abort', stopLoad, { once: true });
  let failure: StackFailure | null = null;
  void target.failure(watching.signal).then(
    (died) => {
      failure = died;
      stopLoad();
    },
    () => {},
  );
  const following = followSeconds(load.seconds, view.addLoadSecond);
  try {
    const outcome = await load.outcome;
    await following;
    await collector.pollUntil(lastSecond(outcome), failure === null ? FINAL_POLL_MS : 0);
    collector.addDeparted(await target.departedRows(0).catch(() => []));
    return { outcome, failure, collector, machineSamples: sampler.samples };
  } finally {
    ticks.stop();
    watching.abort();
    signal.removeEventListener('abort', stopLoad);
    rmSync(outDir, { recursive: true, force: true });
  }
}

async function followSeconds(seconds: AsyncIterable<LoadSecond>, take: (second: LoadSecond) => void) {
  for await (const second of seconds) take(second);
}

/** The last wall-clock second of the load: rows up to it belong to the run. */
function lastSecond(outcome: LoadOutcome): number {
  const now = Math.floor(Date.now() / 1000);
  return outcome.seconds.length === 0
    ? now - 1
    : Math.min(now, Math.ceil(outcome.loadStartMs / 1000) + outcome.seconds.length);
}

function statusOf(end: { outcome: LoadOutcome; failure: StackFailure | null; interrupted: boolean }): {
  status: RunStatus;
  reason: string;
} {
  const { outcome, failure, interrupted } = end;
  if (failure !== null) return { status: 'broken', reason: describeFailure(failure) };
  if (outcome.meaning === 'broken') {
    return { status: 'broken', reason: `the load engine failed: ${outcome.detail}` };
  }
  if (interrupted || outcome.meaning === 'interrupted') {
    return { status: 'interrupted', reason: outcome.detail || 'somebody stopped the run' };
  }
  return { status: 'complete', reason: '' };
}

function loadRecord(scenario: Scenario, outcome: LoadOutcome): LoadRecord | null {
  const { engine, exitCode, meaning, detail, steps, generator, summary } = outcome;
  return {
    profile: scenario.load.profile,
    thinkTimeSeconds: scenario.load.thinkTimeSeconds ?? 0.3,
    engine,
    exitCode,
    meaning,
    detail,
    steps,
    generator,
    summary,
  };
}
