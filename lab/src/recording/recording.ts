import type { MeasurementRow } from '@bottleneck-lab/contracts';
import type { AppliedKnobs, KnobName } from '../scenarios/knobs.js';
import type { Scenario } from '../scenarios/scenario.js';
import type { TelemetryUse } from '../telemetry/settings.js';

/** How a run ended. `broken`: a part of the stack failed; `interrupted`: somebody stopped it. */
export type RunStatus = 'complete' | 'interrupted' | 'broken';

/** Whether a target can turn a knob, and if not, why. */
export type KnobCapability = { available: true } | { available: false; reason: string };

export interface RunTarget {
  kind: 'local' | 'compose' | 'kubernetes' | 'attach';
  /** Latencies and ceilings are modelled or calibrated, so that absolute ranges may be checked. */
  calibrated: boolean;
  /** Who answers as Cosmos DB. */
  database: 'stand-in' | 'azure';
  capabilities: Record<KnobName, KnobCapability>;
}

export interface Machine {
  cpuModel: string;
  /** Logical processors. */
  cores: number;
  memoryBytes: number;
  /** For example `Linux 6.1.0 x64`. */
  os: string;
  /** For example `v20.20.0`. */
  node: string;
}

/** How the delivery service got its CPU limit. */
export interface Calibration {
  deliveryCpuLimitCores: number;
  /** Requests/s that delivery answered when saturated under that limit. */
  ceilingRequestsPerSecond: number;
  /** `measured` before this run, `cached` from an earlier one on this machine, `given` by the user. */
  source: 'measured' | 'cached' | 'given';
}

/** Where the load came from and how it ended: `exitCode` and its `meaning` are k6's. */
export interface LoadRecord {
  profile: string;
  thinkTimeSeconds: number;
  engine: { name: string; version: string };
  exitCode: number;
  meaning: string;
  detail: string;
  steps: LoadStep[];
  generator: { cpuMs: number; eventLoopDelayMaxMs: number; saturated: boolean };
  /** The engine's end-of-test summary as it gave it; written to load-summary.json. */
  summary: unknown;
}

/** One step of the load: [fromSecond, toSecond) after the load's start. */
export interface LoadStep {
  name: string;
  fromSecond: number;
  toSecond: number;
}

/** The whole machine in one wall-clock second, in cores; `null` where the system does not tell. */
export interface MachineSample {
  /** Unix time in whole seconds. */
  second: number;
  /** All processes together. */
  busyCores: number;
  /** Taken by the hypervisor for other guests. */
  stealCores: number | null;
  /** Processes that are not part of the lab. */
  foreignCores: number | null;
}

/** A knob turned while a load ran; `second` counts from the load's start. */
export interface TurnedKnob {
  second: number;
  knob: string;
  from: number | string;
  to: number | string;
}

/** Everything about a run that is not a measurement. */
export interface RunMeta {
  /** UTC time, scenario, four hex digits: `20261130T101500Z-throttled-3fa2`. */
  id: string;
  scenario: Scenario;
  knobs: AppliedKnobs;
  status: RunStatus;
  /** Why a run is not complete; empty for a complete one. */
  reason: string;
  /** Unix time in milliseconds of the load's start: the run's zero. */
  loadStartMs: number;
  plannedSeconds: number;
  seed: number;
  /** Whether the services sent telemetry, which costs CPU. */
  telemetry: boolean;
  /** How they sent it; null when they sent none, or when nobody can tell. Recordings of version 1.0 lack it. */
  telemetryUse?: TelemetryUse | null;
  target: RunTarget;
  machine: Machine;
  /** Versions of the lab and of what it used, by name. */
  versions: Record<string, string>;
  /** `null` when the target has no CPU limit to calibrate. */
  calibration: Calibration | null;
  /** Knobs turned while the load ran, in order. Recordings before version 1.2 lack it. */
  turnedKnobs?: TurnedKnob[];
}

/** One run as it was recorded: the only input of analysis, diagnosis and report. */
export interface Recording {
  meta: RunMeta;
  /** Rows of services, account and load (see {@link ./load-rows.ts}), in any order, warm-up included. */
  rows: MeasurementRow[];
  /** `null` when the load never started. */
  load: LoadRecord | null;
  machineSamples: MachineSample[];
}
