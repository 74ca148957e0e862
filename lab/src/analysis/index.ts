export { type Analysis, analyse } from './analyse.js';
export { MEASURE_NAMES, MEASURE_TABLE, type MeasureName } from './measure-table.js';
