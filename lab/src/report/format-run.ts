import { isMeasureName, MEASURE_TABLE } from '../analysis/measure-table.js';
import { describeRange } from '../results/expected.js';
import type { RunResult } from '../results/result-schema.js';
import { formatFinding } from './format-finding.js';
import { caveatOf, figure, KEY_FIGURES } from './key-figures.js';
import { type Cell, columns, type LayoutOptions, painter, wrap } from './layout.js';

/** One run for a terminal: figures, bottleneck, evidence, what to try next. */
export function formatRun(result: RunResult, options: LayoutOptions): string {
  const paint = painter(options);
  const [first, ...others] = result.diagnosis.findings;
  const caveat = caveatOf(result);
  const shown = { ...options, telemetry: result.telemetry };
  const lines = [
    `${paint('bold', result.scenario.title)} (${result.scenario.name})  ${paint('dim', result.id)}`,
    '',
    ...(caveat === ''
      ? []
      : [
          ...wrap({ lead: '! ', text: caveat, width: options.width }).map((line) => paint('yellow', line)),
          '',
        ]),
    ...columns(figureRows(result), options),
    '',
  ];
  if (first !== undefined) {
    lines.push(`bottleneck: ${paint('bold', first.title)}`, ...formatFinding(first, shown));
  }
  for (const other of others)
    lines.push(
      `${other.confidence === 'low' ? 'perhaps' : 'also'}: ${other.title}`,
      ...formatFinding(other, shown),
    );
  return lines.join('\n');
}

function figureRows(result: RunResult): Cell[][] {
  const ranges = new Map(result.expected?.measures.map((range) => [range.measure, range]));
  const header: Cell[] = ['', 'measured', 'published', 'expected', ''].map((text) => ({
    text,
    style: 'dim',
  }));
  const shown = new Set<string>(KEY_FIGURES.map((one) => one.measure));
  const extra = [...ranges.keys()]
    .filter((measure) => !shown.has(measure))
    .map((measure) => ({ title: titleOf(measure), measure }));
  const rows = [...KEY_FIGURES, ...extra].map(({ title, measure }): Cell[] => {
    const range = ranges.get(measure);
    const known = result.published?.measures[measure];
    return [
      { text: title },
      { text: figure(result.measures[measure]) },
      { text: known === undefined ? '' : figure(known) },
      { text: range === undefined ? '' : describeRange({ ...range, unit: '' }).trimEnd() },
      outcomeCell(range?.ok),
    ];
  });
  return [header, ...rows];
}

function titleOf(measure: string): string {
  return isMeasureName(measure) ? `${measure}, ${MEASURE_TABLE[measure].unit}` : measure;
}

function outcomeCell(ok: boolean | null | undefined): Cell {
  if (ok === true) return { text: 'ok', style: 'green' };
  if (ok === false) return { text: 'missed', style: 'red' };
  return { text: '' };
}
