export { type Calibrator, createCalibrator } from './calibrator.js';
export { machineFingerprint } from './fingerprint.js';
export { saturate } from './saturate.js';
