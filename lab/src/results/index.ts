export { readArticle } from './article.js';
export { buildResult } from './build-result.js';
export { type Comparison, compareRuns, type Difference, type Verdict } from './compare.js';
export { RESULT_ERRORS, ResultError, type ResultErrorCode } from './errors.js';
export { describeRange, missedExpectations } from './expected.js';
export { findRun, listRuns } from './find-run.js';
export { readRecording, readResult } from './read-run.js';
export {
  type ProgressionResult,
  progressionResult,
  RESULT_SCHEMA_VERSION,
  type RunResult,
  runResult,
} from './result-schema.js';
export { type SecondPoint, type SecondSeries, secondSeries } from './second-series.js';
export { PROGRESSION_FILES, progressionOf, RUN_FILES, writeProgression, writeRun } from './write-run.js';
