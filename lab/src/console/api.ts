import type { ServiceName } from '@bottleneck-lab/contracts';

/** What the console's HTTP API answers. The page in the browser is built from the same types. */

/** One second of the load as the charts draw it. `null`: nothing ended in that second, or nothing is known. */
export interface ChartPoint {
  /** From the load's start. */
  second: number;
  users: number;
  requests: number;
  failed: number;
  clientMeanMs: number | null;
  clientP95Ms: number | null;
  /** Operations of each backend that ended, at the server, and their mean duration. */
  operations: Record<BackendName, { count: number; meanMs: number | null }>;
  /** Of the limit; of one core where a service has none. */
  cpuPercent: Partial<Record<ServiceName, number>>;
  /** Attempts of partition queries by their answer. */
  answered: number;
  throttled: number;
  /** Request units by physical partition of the container queried, and the limit of one of them. */
  container: string | null;
  ruByPartition: Record<string, number>;
  limitRuPerSecond: number | null;
  /** Successful GetDroneUtilization operations, their partition queries without retries, and their charge. */
  successes: number;
  partitionQueries: number;
  requestCharge: number;
}

export type BackendName = Exclude<ServiceName, 'gateway'>;

export interface TurnMark {
  second: number;
  knob: string;
  from: number | string;
  to: number | string;
}

export interface StepMark {
  name: string;
  fromSecond: number;
}

/** `preparing` until the load starts, `finishing` until its result is written. */
export type RunState = 'preparing' | 'loading' | 'finishing' | 'complete' | 'interrupted' | 'broken';

export interface RunView {
  /** Empty until the run has a name. */
  id: string;
  scenario: string;
  title: string;
  state: RunState;
  /** What goes on while preparing or finishing, or why the run is not complete. */
  detail: string;
  startedAtMs: number | null;
  plannedSeconds: number;
  points: ChartPoint[];
  steps: StepMark[];
  turns: TurnMark[];
  /** Services without a CPU limit are drawn against one core. */
  limitedServices: ServiceName[];
  /** Its diagnosis is shown once somebody has found the bottleneck. */
  sealed: boolean;
  /** The process that runs it, which is not the console; null for a run of its own, and for one on disk. */
  elsewhere: { pid: number } | null;
  result: RunSummary | null;
}

export interface RunSummary {
  valid: boolean;
  /** What keeps it from being valid. */
  problems: string[];
  /** Empty in a sealed run, as is what follows from it. */
  bottleneck: string;
  evidence: string[];
  next: string[];
  measures: Record<string, number>;
}

export interface RunListed {
  id: string;
  scenario: string;
  startedAt: string;
  plannedSeconds: number;
  status: 'complete' | 'interrupted' | 'broken';
  valid: boolean;
  bottleneck: string;
  sealed: boolean;
  telemetry: boolean;
  turned: number;
}

export interface ScenarioListed {
  name: string;
  title: string;
}

export interface KnobView {
  name: string;
  title: string;
  unit: string;
  /** Null until a scenario was run on this stack. */
  value: number | string | null;
  choices: string[] | null;
  range: string;
  /** Why it can't be turned now; empty when it can. */
  reason: string;
  /** Whether that stays so for as long as this stack runs. */
  fixed: boolean;
}

export interface ConsoleState {
  /** Another one after a restart of the console. */
  instance: string;
  readOnly: boolean;
  version: string;
  /** Whether the stack's services send telemetry that can be asked here; else why not. */
  telemetry: { available: boolean; reason: string };
  scenarios: ScenarioListed[];
  knobs: KnobView[];
  run: RunView | null;
}

/** Events of `/api/events` by name. */
export interface ConsoleEvents {
  state: ConsoleState;
  /** The run as it is now, without its points. */
  run: Omit<RunView, 'points'>;
  points: { id: string; points: ChartPoint[] };
  knobs: KnobView[];
  /** Every two seconds, so that a silent connection is noticed. */
  beat: { atMs: number };
}

export interface QueryListed {
  name: string;
  title: string;
  question: string;
  lookFor: string;
  text: string;
}

export interface QueryAnswered {
  source: string;
  columns: { name: string; type: string }[];
  rows: unknown[][];
  visualization: { kind: string; properties: Record<string, unknown> } | null;
}

export interface QueryChecked {
  diagnostics: {
    severity: string;
    code: string;
    message: string;
    start: number;
    length: number;
    line: number;
    column: number;
  }[];
}

export interface QueryCompletions {
  editStart: number;
  editLength: number;
  items: { kind: string; label: string; insertText: string }[];
}

export interface OperationListed {
  operationId: string;
  startedAt: string;
  /** From the load's start; null where the run is not known. */
  second: number | null;
  durationMs: number;
  resultCode: string;
  partitionQueries: number;
  throttled: number;
  waitMs: number;
  requestUnits: number;
}

export interface MapEdge {
  caller: string;
  callee: string;
  type: string;
  calls: number;
  failed: number;
  meanMs: number;
}

export interface WorkshopView {
  exercises: {
    scenario: string;
    title: string;
    number: number;
    minutes: number;
    story: string;
    questions: string[];
  }[];
  bottlenecks: string[];
  fixes: { name: string; text: string }[];
}

export interface AnswerJudged {
  run: string;
  right: boolean;
  bottleneck: { ok: boolean | null; reply: string };
  evidence: { ok: boolean | null; reply: string; ask: string | null; given: number | null }[];
  fix: { ok: boolean | null; reply: string };
  afterwards: string | null;
  /** What a mystery was, once it is solved; the run of an exercise whose diagnosis is open now. */
  revealed: { run: string; scenario: string } | null;
}

/** The second and later runs are judged against the first. */
export interface ComparedRuns {
  runs: RunView[];
  comparisons: ComparedPair[];
}

export interface ComparedPair {
  first: string;
  second: string;
  /** Why the two can't be compared; empty when they can. */
  refused: string;
  knobs: { knob: string; first: unknown; second: unknown }[];
  notes: string[];
  differences: {
    measure: string;
    unit: string;
    first: number;
    second: number;
    changePercent: number | null;
    noise: number;
    verdict: string;
  }[];
}
