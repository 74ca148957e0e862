import { quantity } from '../analysis/quantity.js';
import type { Comparison, Verdict } from '../results/compare.js';
import { figure } from './key-figures.js';
import { type Cell, columns, type LayoutOptions, painter, wrap } from './layout.js';

const STYLE: Partial<Record<Verdict, NonNullable<Cell['style']>>> = {
  better: 'green',
  worse: 'red',
  different: 'yellow',
  'within noise': 'dim',
  'not judged': 'dim',
};

/** Two runs for a terminal. */
export function formatComparison(comparison: Comparison, options: LayoutOptions): string {
  const paint = painter(options);
  const { first, second, knobs, notes, differences } = comparison;
  const lines = [
    `first:  ${paint('bold', first.id)}  ${first.bottleneck}`,
    `second: ${paint('bold', second.id)}  ${second.bottleneck}`,
    '',
    knobs.length === 0
      ? 'same knobs'
      : `turned: ${knobs.map((one) => `${one.knob} ${JSON.stringify(one.first)} -> ${JSON.stringify(one.second)}`).join(', ')}`,
    ...notes.flatMap((note) => wrap({ lead: '! ', text: note, width: options.width })),
    '',
  ];
  const shown = differences.filter((one) => one.verdict !== 'within noise');
  const rows: Cell[][] = [
    ['', 'first', 'second', 'change', 'noise', 'judged'].map((text) => ({ text, style: 'dim' })),
    ...shown.map((one): Cell[] => {
      const style = STYLE[one.verdict];
      return [
        { text: `${one.measure}, ${one.unit}` },
        { text: figure(one.first) },
        { text: figure(one.second) },
        { text: changeText(one.changePercent, one.change) },
        { text: `±${quantity(one.noise)}` },
        { text: one.verdict, ...(style === undefined ? {} : { style }) },
      ];
    }),
  ];
  const quiet = differences.length - shown.length;
  return [
    ...lines,
    ...(shown.length === 0 ? [] : [...columns(rows, options), '']),
    `${quiet} of ${differences.length} measures differ by no more than noise`,
  ].join('\n');
}

function changeText(percent: number | null, change: number): string {
  if (change === 0) return '0';
  const sign = change > 0 ? '+' : '';
  return percent === null ? `${sign}${quantity(change)}` : `${sign}${quantity(percent)} %`;
}
