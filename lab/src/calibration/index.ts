export { type CalibrateOptions, calibrateDelivery } from './calibrate-delivery.js';
export { machineFingerprint } from './fingerprint.js';
export { saturate } from './saturate.js';
