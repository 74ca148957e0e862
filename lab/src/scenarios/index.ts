export { ScenarioError, type ScenarioErrorCode } from './errors.js';
export { boundsOf, type Expectation } from './expectation.js';
export { KNOB_TABLE, type KnobChange, type KnobRow } from './knob-table.js';
export { type AppliedKnobs, applyLength, type KnobName, type Knobs, knobs, type Latency } from './knobs.js';
export {
  findScenarios,
  loadScenarios,
  parseScenario,
  readScenario,
  SCENARIO_FOLDER,
} from './load-scenarios.js';
export { BOTTLENECKS, type BottleneckName, type Scenario, type ScenarioLoad, scenario } from './scenario.js';
