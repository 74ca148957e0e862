import type { Clock } from './clock.js';
import type { Logger } from './log.js';
import type { SharedData } from './modules/data.js';
import type { TestOptions } from './options.js';
import type { CheckGroup } from './results/check-tree.js';
import type { Metric, MetricRegistry } from './results/metric.js';
import type { TagSet } from './results/tags.js';
import type { ScriptFiles } from './script-files.js';

/** Why a test ended before its time. */
export interface AbortReason {
  readonly kind: 'signal' | 'script' | 'threshold' | 'fatal';
  readonly message: string;
}

/** What all virtual users of one run share. */
export interface RunState {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly options: TestOptions;
  readonly metrics: MetricRegistry;
  readonly builtIn: BuiltInMetrics;
  readonly checks: CheckGroup;
  readonly files: ScriptFiles;
  readonly shared: SharedData;
  /** The tags of every sample: `--tag` or options.tags. */
  readonly runTags: TagSet;
  readonly counters: RunCounters;
  readonly startedAtMs: number;
  /** Text of a thrown value with positions in the script's own files. */
  explain(thrown: unknown): string;
  abort(reason: AbortReason): void;
  /** The test goes on, but ends as failed. */
  markFailed(message: string): void;
}

export interface RunCounters {
  iterationsCompleted: number;
  iterationsInterrupted: number;
  vusActive: number;
  vusInitialized: number;
}

/** The built-in metrics by name, looked up once. */
export type BuiltInMetrics = Readonly<Record<(typeof BUILT_IN_NAMES)[number], Metric>>;

const BUILT_IN_NAMES = [
  'vus',
  'vus_max',
  'iterations',
  'iteration_duration',
  'dropped_iterations',
  'checks',
  'group_duration',
  'http_reqs',
  'http_req_duration',
  'http_req_blocked',
  'http_req_connecting',
  'http_req_tls_handshaking',
  'http_req_sending',
  'http_req_waiting',
  'http_req_receiving',
  'http_req_failed',
  'data_sent',
  'data_received',
] as const;

export function builtInMetrics(registry: MetricRegistry): BuiltInMetrics {
  return Object.fromEntries(
    BUILT_IN_NAMES.map((name) => [name, registry.get(name)]),
  ) as unknown as BuiltInMetrics;
}
