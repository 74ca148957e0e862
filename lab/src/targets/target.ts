import type { Calibration, RunTarget } from '../recording/index.js';
import type { LoadAnnouncement } from '../runner/announcement.js';
import type { RowSource } from '../runner/row-source.js';
import type { AppliedKnobs } from '../scenarios/index.js';
import type { StackFailure } from '../stack/stack-status.js';
import type { Turn } from '../stack/turns.js';
import type { DepartedRows } from '../supervisor/service-supervisor.js';
import type { TelemetryRecorder } from '../telemetry/recorder.js';
import type { TelemetryUse } from '../telemetry/settings.js';

/** Where a load runs: who answers it, what can be turned there, and where its rows are read. */
export interface Target {
  describe(): RunTarget;
  gatewayUrl: string;
  /** Makes the system behave as a scenario asks, as far as it can be turned here. Returns what changed, in words. */
  applyKnobs(
    knobs: AppliedKnobs,
    options: { seed: number; model: 'off' | 'on'; hidden?: boolean },
  ): Promise<{ changed: string[] }>;
  /** Tells others of a load on this target; only where somebody can follow it. */
  announce?(load: {
    run: string;
    scenario: string;
    plannedSeconds: number;
    usersFixed: string;
  }): LoadAnnouncement;
  /** What was applied as hidden may be seen again; only where it can be. */
  reveal?(): Promise<void>;
  /** Forgets budgets and starts the modelled latencies from their seed. */
  reset(): Promise<void>;
  /** Where rows are read; empty when only the load itself is measured. */
  sources(): Promise<RowSource[]>;
  departedRows(since: number): Promise<DepartedRows[]>;
  calibration(): Promise<Calibration | null>;
  /** How its services send telemetry; null when they send none, or when nobody can tell. */
  readonly telemetry: TelemetryUse | null;
  /** Where the lab can record it; null when it goes elsewhere. */
  readonly telemetryRecording: RecordableTelemetry | null;
  /** Calls back for each knob that somebody turns from now on, until the signal fires. */
  watchTurns(signal: AbortSignal, onTurn: (turn: Turn) => void): void;
  /** Processes on this machine that belong to the target. */
  pids(): Promise<number[]>;
  /** Resolves when a part of the target has died; stays pending where nobody can tell. */
  failure(signal: AbortSignal): Promise<StackFailure>;
}

/** A stand-in that writes what it receives in a run to a folder. */
export interface RecordableTelemetry {
  recorder: TelemetryRecorder;
  /** The folder that a run's recording is written to. */
  folderOf(runId: string): string;
}
