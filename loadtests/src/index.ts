export { EXIT_CODES, LoadError } from './engine/errors.js';
export { ENGINE_NAMES, type EngineName, type FoundEngine, findEngine } from './engines.js';
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
