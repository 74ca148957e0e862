export { buildResult } from './build-result.js';
export { compareRuns } from './compare.js';
export { RESULT_ERRORS, ResultError } from './errors.js';
export { describeRange, missedExpectations } from './expected.js';
export { findReported, findRun, listRuns } from './find-run.js';
export { type OwnLoadResult, ownLoadResult, writeOwnLoad } from './own-load.js';
export { readProgression, readRecording, readResult } from './read-run.js';
export {
  progressionResult,
  type RunResult,
  runResult,
} from './result-schema.js';
export { readConcluded, sealResult } from './sealed.js';
export {
  PROGRESSION_FILES,
  progressionOf,
  RUN_FILES,
  TELEMETRY_FOLDER,
  writeProgression,
  writeRun,
} from './write-run.js';
