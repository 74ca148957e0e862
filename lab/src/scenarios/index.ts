export { ScenarioError } from './errors.js';
export { boundsOf } from './expectation.js';
export { FIX_NAMES, FIXES, type FixName } from './fixes.js';
export { KNOB_TABLE } from './knob-table.js';
export { type AppliedKnobs, applyLength, type KnobName, knobs } from './knobs.js';
export {
  findScenarios,
  loadScenarios,
  parseScenario,
  readScenario,
  SCENARIO_FOLDER,
} from './load-scenarios.js';
export { BOTTLENECKS, type BottleneckName, type Scenario, type ScenarioLoad } from './scenario.js';
export type { AskedEvidence, Exercise } from './teaching.js';
