export { type Analysis, analyse } from './analyse.js';
export {
  isMeasureName,
  MEASURE_NAMES,
  MEASURE_TABLE,
  type MeasureName,
  type MeasureRow,
  type Measures,
} from './measure-table.js';
export type { PartitionStatistics } from './partition-statistics.js';
export type { ProcessStatistics } from './process-statistics.js';
export type { StepStatistics } from './step-statistics.js';
export type { TransportStatistics } from './transport-statistics.js';
