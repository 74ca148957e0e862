import type { RunResult } from '../../results/result-schema.js';
import type { LineChart } from './line-chart.js';

/** Knobs that were turned while the load ran: each is a line in every chart over time. */
export function turnMarks({ turnedKnobs }: Pick<RunResult, 'turnedKnobs'>): LineChart['marks'] {
  return turnedKnobs.map(({ second, knob, to }) => ({ second: Math.max(0, second), label: `${knob} ${to}` }));
}
