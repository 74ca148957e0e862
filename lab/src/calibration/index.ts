export { type Calibrator, createCalibrator } from './calibrator.js';
export { correctedLimit, LARGEST_CORES } from './capacity.js';
export { machineFingerprint } from './fingerprint.js';
export { observedCapacity } from './observed-capacity.js';
export { saturate } from './saturate.js';
