import type { RunResult } from '../results/result-schema.js';
import { publishedRows } from './difference-notes.js';
import { caveatOf, figure, KEY_FIGURES, publishedNote, sealedNote } from './key-figures.js';
import { markdownTable } from './layout.js';

/** `report.md` of a progression: the runs side by side, then what held each of them back. */
export function progressionMarkdown(results: readonly RunResult[]): string {
  const sections = [
    '# Bottleneck progression',
    figuresSection(results),
    ...results.map(runSection),
    differencesSection(results),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function figuresSection(results: readonly RunResult[]): string {
  const header = ['', ...results.map(({ scenario, id }) => `[${scenario.name}](${id}/report.md)`)];
  const rows = KEY_FIGURES.map(({ title, measure }) => [
    title.trim(),
    ...results.map(({ measures, published }) => {
      const known = published?.measures[measure];
      return `${figure(measures[measure])}${known === undefined ? '' : ` (${figure(known)})`}`;
    }),
  ]);
  const bottlenecks = [
    'bottleneck',
    ...results.map(({ diagnosis }) => `**${diagnosis.findings[0]?.title ?? '-'}**`),
  ];
  const table = markdownTable(
    header,
    [...rows, bottlenecks],
    results.map((_, at) => at + 1),
  );
  const note = publishedNote(results);
  return note === '' ? table : `${table}\n\n${note}`;
}

function runSection(result: RunResult): string {
  if (result.sealed) return `## ${result.scenario.title}\n\n${sealedNote(result)}`;
  const [first] = result.diagnosis.findings;
  if (first === undefined) return '';
  const caveat = caveatOf(result);
  return [
    `## ${result.scenario.title}: ${first.title}`,
    ...(caveat === '' ? [] : [`> **${caveat}**`]),
    first.evidence.map((one) => `- ${one.text}`).join('\n'),
    `Next: ${first.next[0]?.text ?? ''}`,
  ].join('\n\n');
}

function differencesSection(results: readonly RunResult[]): string {
  const lines = results.flatMap((result) =>
    publishedRows(result)
      .filter((row) => row.note !== 'agrees')
      .map((row) => [
        result.scenario.name,
        `\`${row.measure}\``,
        figure(row.measured),
        figure(row.published),
        row.note,
      ]),
  );
  if (lines.length === 0) return '';
  const table = markdownTable(['scenario', 'measure', 'measured', 'published', 'remark'], lines, [2, 3]);
  return `## Where the figures differ, and why\n\n${table}`;
}
