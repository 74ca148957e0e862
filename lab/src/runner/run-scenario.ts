import type { EngineName, LoadOutcome } from '@bottleneck-lab/loadtests';
import { loadRows, type Recording, type RunStatus } from '../recording/index.js';
import { type AppliedKnobs, applyLength, type Scenario } from '../scenarios/index.js';
import { describeFailure } from '../stack/failure-watch.js';
import { type OnPhase, phase } from '../stack/phases.js';
import type { StackFailure } from '../stack/stack-status.js';
import type { Turn } from '../stack/turns.js';
import type { Target } from '../targets/target.js';
import type { RecordingOutcome } from '../telemetry/recorder.js';
import type { TelemetryUse } from '../telemetry/settings.js';
import { type LoadAnnouncement, UNANNOUNCED, whyScriptFixesUsers } from './announcement.js';
import type { LiveSecond } from './live-second.js';
import type { LiveSource } from './live-view.js';
import { loadRecord, secondsFromStart } from './load-engine.js';
import { describeMachine } from './machine.js';
import { type LoadRecording, recordLoad } from './record-load.js';
import { newRunId } from './run-id.js';
import { usedVersions } from './versions.js';
import { warmUp } from './warm-up.js';

export interface RunOptions {
  scenario: Scenario;
  target: Target;
  plannedSeconds: number;
  seed: number;
  engine: EngineName;
  onPhase: OnPhase;
  /** Told the run's id before anything else. */
  onStart?: (id: string) => void;
  onSecond: (second: LiveSecond, source: LiveSource) => void;
  /** Told of each knob that somebody turned while the load ran. */
  onTurn?: (turned: Turn) => void;
  /** Told at once when a part of the target has died; the run then ends as broken. */
  onFailure: (failure: StackFailure) => void;
  /** What is set is told to nobody until it is revealed. */
  hidden?: boolean;
  /** Ends the load early; what was measured is still returned, marked as interrupted. */
  signal: AbortSignal;
}

/** Applies a scenario to a target, warms up, loads, and records. Breaking off is a status, not an error. */
export async function runScenario(options: RunOptions): Promise<Recording> {
  const { scenario, target, plannedSeconds } = options;
  const id = newRunId(scenario.name);
  options.onStart?.(id);
  const announcement =
    target.announce?.({
      ...{ run: id, scenario: scenario.name, plannedSeconds },
      usersFixed: whyScriptFixesUsers(options.engine, scenario.load.profile),
    }) ?? UNANNOUNCED;
  try {
    return await record(followedBy(options, announcement), { id, announcement });
  } finally {
    announcement.end();
  }
}

/** The same run, of which others are told as well. */
function followedBy(options: RunOptions, announcement: LoadAnnouncement): RunOptions {
  return {
    ...options,
    onPhase(event) {
      options.onPhase(event);
      announcement.phase(event);
    },
    onSecond(second, source) {
      options.onSecond(second, source);
      announcement.second(second, source);
    },
  };
}

async function record(
  options: RunOptions,
  { id, announcement }: { id: string; announcement: LoadAnnouncement },
): Promise<Recording> {
  const { scenario, target, plannedSeconds, seed, onPhase, signal } = options;
  const knobs = applyLength(scenario.knobs, plannedSeconds);
  await prepare(options, knobs);
  signal.throwIfAborted();

  const endOf = ({ outcome, failure }: LoadRecording) => statusOf({ outcome, failure, signal });
  const recorded = await withTelemetry({ target, id, onPhase }, () =>
    phase({ name: 'load', onPhase, detail: (load) => endOf(load).reason }, () =>
      recordLoad(options, { runId: id, announcement }),
    ),
  );
  const { outcome, rows, machineSamples, thinkTimeSeconds, turns } = recorded;
  // A load that never started has no zero; the time of breaking off stands in for it.
  const loadStartMs = outcome.loadStartMs ?? Date.now();
  return {
    meta: {
      id,
      scenario,
      knobs,
      ...endOf(recorded),
      loadStartMs,
      plannedSeconds,
      seed,
      telemetry: target.telemetry !== null,
      telemetryUse: useOf(target),
      target: target.describe(),
      machine: describeMachine(),
      versions: usedVersions(outcome.engine),
      calibration: await target.calibration().catch(() => null),
      turnedKnobs: turns
        .map(({ atMs, ...turned }) => ({ second: Math.round(atMs - loadStartMs) / 1000, ...turned }))
        .filter(({ second }) => second < plannedSeconds)
        .map(({ second, knob, from, to }) => ({ second, knob, from, to })),
    },
    rows: [...rows, ...loadRows(secondsFromStart(outcome.seconds, loadStartMs), loadStartMs)],
    load:
      outcome.loadStartMs === null
        ? null
        : loadRecord(outcome, { profile: scenario.load.profile, thinkTimeSeconds }),
    machineSamples,
  };
}

function useOf({ telemetry }: Target): TelemetryUse | null {
  if (telemetry === null) return null;
  const { receiver, sdk, samplingRatio } = telemetry;
  return { receiver, sdk, samplingRatio };
}

/** Records what the target's services send while `run` lasts, and until they have sent the rest. */
async function withTelemetry<Result>(
  { target, id, onPhase }: { target: Target; id: string; onPhase: OnPhase },
  run: () => Promise<Result>,
): Promise<Result> {
  const recorder = target.telemetryRecording?.recorder;
  if (recorder === undefined) return run();
  await recorder.start(id);
  try {
    return await run();
  } finally {
    // A receiver that is gone took its recording with it; what broke is in the load's outcome.
    await phase({ name: 'telemetry', onPhase, detail: describeOutcome }, () => recorder.stop(id)).catch(
      () => {},
    );
  }
}

function describeOutcome({ requests, dependencies, lostLines, settled }: RecordingOutcome): string {
  const lost = lostLines === 0 ? '' : `; ${lostLines} deliveries could not be written to disk`;
  const late = settled ? '' : '; services were still sending';
  return `${requests} requests, ${dependencies} dependencies${lost}${late}`;
}

/** Requests/s. */
const GENTLE_RATE = 20;

/** Times as long: the services have their telemetry's code to compile as well. */
const WARM_UP_WITH_TELEMETRY = 2;

/** Knobs, warm-up without the model, then the model from its seed: nothing of the warm-up is left in it. */
async function prepare(options: RunOptions, knobs: AppliedKnobs): Promise<void> {
  const { scenario, target, seed, onPhase, signal, hidden = false } = options;
  const detail = ({ changed }: { changed: string[] }) =>
    changed.length === 0 ? 'as they were' : changed.join('; ');
  await phase({ name: 'knobs', onPhase, detail }, () =>
    target.applyKnobs(knobs, { seed, model: 'off', hidden }),
  );
  const describe = ({ requests, failed, failure }: Awaited<ReturnType<typeof warmUp>>) =>
    failed === 0 ? `${requests} requests` : `${failed} of ${requests} requests failed: ${failure}`;
  await phase({ name: 'warm-up', onPhase, detail: describe }, () =>
    warmUp({
      gatewayUrl: target.gatewayUrl,
      // A database that is billed by what it is asked, or a system of somebody else, is only woken.
      requestsPerSecond: target.describe().calibrated ? knobs.deliveryRequestsPerSecond : GENTLE_RATE,
      durationMs:
        scenario.load.warmUpSeconds * (target.telemetry === null ? 1 : WARM_UP_WITH_TELEMETRY) * 1_000,
      ...{ seed, signal },
    }),
  );
  await phase({ name: 'limits', onPhase, detail }, () =>
    target.applyKnobs(knobs, { seed, model: 'on', hidden }),
  );
  await target.reset();
}

function statusOf(end: { outcome: LoadOutcome; failure: StackFailure | null; signal: AbortSignal }): {
  status: RunStatus;
  reason: string;
} {
  const { outcome, failure, signal } = end;
  if (failure !== null) return { status: 'broken', reason: describeFailure(failure) };
  if (signal.aborted) {
    const { name, message } = signal.reason as Error;
    const reason = name === 'InterruptedError' ? 'stopped by Ctrl-C or SIGTERM' : message;
    return { status: 'interrupted', reason };
  }
  if (outcome.meaning === 'interrupted') return { status: 'interrupted', reason: outcome.detail };
  if (outcome.meaning === 'broken') {
    return { status: 'broken', reason: `the load engine failed: ${outcome.detail}` };
  }
  return { status: 'complete', reason: '' };
}
