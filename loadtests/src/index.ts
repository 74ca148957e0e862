export { EXIT_CODES, LoadError } from './engine/errors.js';
export type { FoundEngine } from './engine-definition.js';
export { type EngineKind, type EngineName, findEngine } from './engines.js';
export { inspectScript, type ScriptInspection } from './inspect.js';
export {
  type LoadGenerator,
  type LoadMeaning,
  type LoadOptions,
  type LoadOutcome,
  type LoadRun,
  startLoad,
} from './load-run.js';
export type { LoadSecond, LoadStep } from './load-second.js';
export { listProfiles, loadProfile, type Profile, STEP_LOAD_SCRIPT } from './profile.js';
export type { LoadSummary, MetricResult } from './summary-file.js';
