import { withUnit } from '../analysis/quantity.js';
import type { CiResult } from '../ci/ci-result.js';
import { signed } from '../ci/judge-measure.js';
import { failures } from '../ci/verdict.js';
import { formatTable } from './table.js';
import type { PaintStyle, Terminal } from './terminal.js';

const STYLES: Partial<Record<CiResult['verdict'], PaintStyle>> = { passed: 'green', undecided: 'yellow' };

/** Figures on stdout; what failed, what could not be judged and where the files are on stderr. */
export function printGate(
  result: CiResult,
  { terminal, json, files }: { terminal: Terminal; json: boolean; files: readonly string[] },
): void {
  if (json) terminal.result(JSON.stringify(result, null, 2));
  else terminal.result(formatGate(result));
  for (const note of result.notes) terminal.progress(note);
  for (const { outcome, text } of result.cases) {
    if (outcome === 'undecided') terminal.progress(`${terminal.paint('yellow', 'not judged')}: ${text}`);
  }
  // An error that kept the gate from starting is printed by whoever reports it.
  if (result.verdict !== 'not-started') {
    for (const text of failures(result.cases)) {
      terminal.progress(`${terminal.paint('red', 'failed')}: ${text}`);
    }
  }
  const style = STYLES[result.verdict] ?? 'red';
  terminal.progress(`${terminal.paint(style, result.verdict)}: ${result.subject.name}; ${files.join(', ')}`);
}

function formatGate({ cases, changes, measures }: CiResult): string {
  const compared = cases.flatMap(({ name, outcome, figures }) => {
    if (figures === undefined) return [];
    const { reference, value, unit, changePercent, allowed } = figures;
    const change = changePercent === null ? '' : `${signed(changePercent)} %`;
    return [[name, withUnit(reference, unit, 3), withUnit(value, unit, 3), change, allowed, outcome]];
  });
  const intervals = changes.map(({ measure, changePercent, lowPercent, highPercent }) => [
    measure,
    `${signed(changePercent)} %`,
    `${signed(lowPercent)} to ${signed(highPercent)} %`,
  ]);
  const tables = [
    ...(compared.length > 0
      ? [formatTable(['measure', 'reference', 'now', 'change', 'allowed', 'verdict'], compared)]
      : []),
    ...(intervals.length > 0 ? [formatTable(['time', 'change', 'interval'], intervals)] : []),
  ];
  if (tables.length > 0) return tables.join('\n\n');
  const own = Object.entries(measures).map(([name, { value, unit }]) => [name, withUnit(value, unit, 3)]);
  return own.length === 0 ? 'nothing was measured' : formatTable(['measure', 'now'], own);
}
