export type { Clock } from './clock.js';
export { ConfigurationError } from './config.js';
export {
  type ControlRequest,
  type CosmosEmulator,
  type EmulatorOptions,
  startCosmosEmulator,
} from './emulator.js';
export { WELL_KNOWN_KEY } from './http/authorization.js';
export type { LatencyDistribution, LatencyModel } from './latency/latency-model.js';
