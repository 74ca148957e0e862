export { type Diagnosis, diagnose } from './diagnose.js';
export { RULES } from './rules.js';
export { judgeValidity, type Validity } from './validity.js';
