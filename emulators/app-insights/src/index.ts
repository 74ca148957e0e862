export { type EmulatorOptions, type EmulatorOptionsInput, LOCAL_INSTRUMENTATION_KEY } from './config.js';
export * from './kql/index.js';
export type { IngestionLimits, Retention } from './limits.js';
export { CONTEXT_COLUMNS, columnIndex, TABLE_NAMES, TABLES, type TableName } from './schema.js';
export { type RunningEmulator, type StartOptions, startAppInsightsEmulator } from './server.js';
export {
  type LoadReport,
  type OpenFolderOptions,
  openTelemetryFolder,
  type TelemetryFolder,
  type TornLine,
} from './store/telemetry-folder.js';
