export { createKqlEngine, type EngineOptions } from './engine.js';
export { KqlError, type KqlErrorCode } from './errors.js';
export type {
  Analysis,
  Column,
  CompletionItem,
  Completions,
  Diagnostic,
  ExecuteOptions,
  KqlEngine,
  KqlType,
  QueryLimits,
  QueryResult,
  QueryStats,
  Row,
  TableSource,
  TimeRange,
  Visualization,
} from './types.js';
export { datetimeFromUnixMs, datetimeToIso, datetimeToUnixMs, parseDatetime } from './values/datetime.js';
export { parseTimespan, timespanFromMs, timespanText, timespanToMs } from './values/timespan.js';
