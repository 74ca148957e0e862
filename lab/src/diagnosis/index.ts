export { type Diagnosis, diagnose } from './diagnose.js';
export type { Evidence, Experiment, Finding, FindingName, RuleOutcome } from './finding.js';
export { RULES, type Rule } from './rules.js';
export { judgeValidity, type Validity, type ValidityCheck } from './validity.js';
