import type { RunResult } from '../results/result-schema.js';
import { formatFinding } from './format-finding.js';
import { caveatOf, figure, KEY_FIGURES, publishedNote } from './key-figures.js';
import { type Cell, columns, type LayoutOptions, painter, tableWidth, wrap } from './layout.js';

/**
 * Several runs for a terminal: measured beside published, then for each run its bottleneck, the evidence and the
 * next experiment. Where the runs don't fit side by side they are shown in groups.
 */
export function formatProgression(results: readonly RunResult[], options: LayoutOptions): string {
  const blocks = [tables(results, options)];
  const note = publishedNote(results);
  if (note !== '') {
    const lines = wrap({ lead: '', text: note, width: options.width });
    blocks.push(lines.map((line) => painter(options)('dim', line)).join('\n'));
  }
  blocks.push(...results.map((result) => formatBottleneck(result, options)));
  return blocks.join('\n\n');
}

function tables(results: readonly RunResult[], options: LayoutOptions): string {
  const groups: RunResult[][] = [];
  for (const result of results) {
    const last = groups.at(-1);
    if (last !== undefined && tableWidth(tableRows([...last, result])) <= options.width) last.push(result);
    else groups.push([result]);
  }
  return groups.map((group) => columns(tableRows(group), options).join('\n')).join('\n\n');
}

function tableRows(results: readonly RunResult[]): Cell[][] {
  const header: Cell[] = [
    { text: '' },
    ...results.map((result): Cell => ({ text: result.scenario.name, style: 'bold' })),
  ];
  const rows = KEY_FIGURES.map(({ title, measure }): Cell[] => [
    { text: title },
    ...results.map((result): Cell => {
      const known = result.published?.measures[measure];
      const text = `${figure(result.measures[measure])}${known === undefined ? '' : ` (${figure(known)})`}`;
      const missed = result.expected?.measures.some(
        (range) => range.measure === measure && range.ok === false,
      );
      return missed === true ? { text: `${text} !`, style: 'red' } : { text };
    }),
  ]);
  return [header, ...rows];
}

function formatBottleneck(result: RunResult, options: LayoutOptions): string {
  const paint = painter(options);
  const [first] = result.diagnosis.findings;
  const caveat = caveatOf(result);
  return [
    `${result.scenario.name}: ${paint('bold', first?.title ?? 'no diagnosis')}`,
    ...(caveat === ''
      ? []
      : wrap({ lead: '  ! ', text: caveat, width: options.width }).map((line) => paint('yellow', line))),
    ...(first === undefined ? [] : formatFinding(first, { ...options, telemetry: result.telemetry })),
  ].join('\n');
}
