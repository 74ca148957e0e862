export {
  ConfigError,
  type ConfigIssue,
  type ConfigRule,
  loadConfig,
  printableConfig,
} from './config/load-config.js';
export * from './config/setting.js';
export type { CpuControl } from './cpu/cpu-control.js';
export { ERRORS, type ErrorRow, errorTable, ServiceError } from './errors.js';
export { EXIT_CODES } from './exit-codes.js';
export type { Health, HealthReport, ReadinessCheck } from './health.js';
export { currentRequest, type RequestContext } from './http/request-context.js';
export { type Route, type RouteRequest, route } from './http/routes.js';
export type { Logger } from './logger.js';
export { Backend, type BackendOptions, type Call } from './outbound/backend.js';
export { BackendError } from './outbound/backend-error.js';
export { BACKEND_SETTINGS } from './outbound/settings.js';
export { type Backoff, Recovery } from './recovery.js';
export { runService, type ServiceDefinition } from './run-service.js';
export {
  type CreateServiceApp,
  type RunningService,
  type Runtime,
  SERVICE_SETTINGS,
  type ServiceApp,
  type ServiceConfig,
  type StopReport,
  startService,
} from './service.js';
export type { StatsRecorder } from './stats/recorder.js';
