import { withUnit } from '../analysis/quantity.js';
import { describeCiMachine } from './baseline-file.js';
import type { CiResult } from './ci-result.js';
import { signed } from './judge-measure.js';
import { type CiCase, failures, type Verdict } from './verdict.js';

const HEADLINES: Record<Verdict, string> = {
  passed: 'passed',
  failed: 'failed',
  undecided: 'not judged: the machine was too busy',
  broken: 'broken: the load did not run to its end',
  interrupted: 'interrupted',
  'not-started': 'not started: the target does not answer',
};

/** The result for a pull request or a job's page: what failed first, then every figure. */
export function summaryMarkdown(result: CiResult): string {
  const { subject, cases, verdict, notes } = result;
  const failed = failures(cases);
  const undecided = cases.filter(({ outcome }) => outcome === 'undecided');
  return [
    `## ${cell(subject.name)}: ${HEADLINES[verdict]}`,
    '',
    ...failed.map((text) => `- **${cell(text)}**`),
    ...undecided.map(({ text }) => `- ${cell(text)}`),
    ...notes.map((note) => `- ${cell(note)}`),
    ...(failed.length + undecided.length + notes.length > 0 ? [''] : []),
    ...figuresTable(cases),
    ...changesTable(result),
    ...casesList(cases),
    origin(result),
    '',
  ].join('\n');
}

function figuresTable(cases: readonly CiCase[]): string[] {
  const rows = cases.flatMap(({ name, outcome, figures }) => {
    if (figures === undefined) return [];
    const { reference, value, unit, changePercent, allowed } = figures;
    const change = changePercent === null ? '' : `${signed(changePercent)} %`;
    const cells = [name, withUnit(reference, unit, 3), withUnit(value, unit, 3), change, allowed, outcome];
    return [`| ${cells.map(cell).join(' | ')} |`];
  });
  if (rows.length === 0) return [];
  return [
    '| measure | reference | now | change | allowed | verdict |',
    '|---|---:|---:|---:|---:|---|',
    ...rows,
    '',
  ];
}

function changesTable({ changes, rounds }: CiResult): string[] {
  if (changes.length === 0) return [];
  const rows = changes.map(
    ({ measure, changePercent, lowPercent, highPercent, pairs }) =>
      `| ${cell(measure)} | ${signed(changePercent)} % | ${signed(lowPercent)} to ${signed(highPercent)} % | ${pairs} of ${rounds} |`,
  );
  return ['| time | change against | interval | rounds used |', '|---|---:|---:|---:|', ...rows, ''];
}

/** Cases without figures that say something: what passed silently is left to the JUnit file. */
function casesList(cases: readonly CiCase[]): string[] {
  const shown = cases.filter(
    ({ figures, outcome, group }) =>
      figures === undefined && (outcome === 'skipped' || (outcome === 'passed' && group !== 'load')),
  );
  if (shown.length === 0) return [];
  return [
    '<details><summary>Everything else that was judged</summary>',
    '',
    ...shown.map(({ group, outcome, text }) => `- ${outcome}: ${group}: ${cell(text)}`),
    '',
    '</details>',
    '',
  ];
}

function origin({ target, against, engine, machine, baseline, startedAt }: CiResult): string {
  const parts = [
    `target ${cell(target ?? "the lab's own stack")}`,
    ...(against === null ? [] : [`against ${cell(against)}`]),
    `engine ${engine.name} ${engine.version}`.trim(),
    describeCiMachine(machine),
    ...(baseline === null ? [] : [`baseline of ${baseline.recordedAt}`]),
    startedAt,
  ];
  return `<sub>${parts.join(' · ')}</sub>`;
}

/** Neither a bar, which ends a cell, nor a line's end, nor markup. */
function cell(text: string): string {
  return text
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' / ');
}
