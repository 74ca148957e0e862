import { MEASURE_TABLE } from '../../../lab/src/analysis/index.js';
import { RULES } from '../../../lab/src/diagnosis/index.js';
import { THRESHOLDS, VALIDITY_LIMITS } from '../../../lab/src/diagnosis/thresholds.js';
import { markdownTable } from '../../../lab/src/report/layout.js';
import { RESULT_ERRORS } from '../../../lab/src/results/index.js';
import { SCENARIO_ERRORS } from '../../../lab/src/scenarios/errors.js';
import { KNOB_TABLE } from '../../../lab/src/scenarios/index.js';

/** Tables of the reference pages as the code has them, by page. */
export function referenceTables(): Record<string, string[]> {
  return {
    'measures.md': [measuresTable()],
    'scenarios.md': [knobsTable(), errorsTable(SCENARIO_ERRORS)],
    'diagnosis.md': [rulesTable(), limitsTable(THRESHOLDS), limitsTable(VALIDITY_LIMITS)],
    'result-json.md': [errorsTable(RESULT_ERRORS)],
  };
}

function measuresTable(): string {
  const rows = Object.entries(MEASURE_TABLE).map(([name, { unit, better, noise, definition }]) => [
    `\`${name}\``,
    unit,
    better,
    [
      ...(noise.relativePercent > 0 ? [`${noise.relativePercent} %`] : []),
      ...(noise.absolute > 0 ? [String(noise.absolute)] : []),
    ].join(', at least ') || '0',
    definition,
  ]);
  return markdownTable(['measure', 'unit', 'better', 'noise', 'definition'], rows);
}

function knobsTable(): string {
  const code = (text: string | null | undefined) => (text ? `\`${text}\`` : '');
  const rows = Object.entries(KNOB_TABLE).map(([name, row]) => [
    `\`${name}\``,
    row.title,
    row.unit,
    row.range,
    row.change,
    row.environment === null ? '' : `\`${row.environment.variable}\` of ${row.environment.service}`,
    row.cosmosOffer === null ? '' : row.cosmosOffer.call,
    code(row.emulator?.setting),
    code(row.helmValue),
    code(row.composeVariable),
  ]);
  const header = [
    'knob',
    'what it is',
    'unit',
    'range',
    'takes effect',
    'service variable',
    'Cosmos DB call',
    'stand-in setting',
    'Helm value',
    'Compose variable',
  ];
  return markdownTable(header, rows);
}

function rulesTable(): string {
  const rows = RULES.map(({ name, class: kind, condition }) => [`\`${name}\``, kind, condition]);
  return markdownTable(['rule', 'class', 'found when'], rows);
}

function limitsTable(limits: Record<string, number>): string {
  const rows = Object.entries(limits).map(([name, value]) => [`\`${name}\``, String(value)]);
  return markdownTable(['name', 'value'], rows, [1]);
}

function errorsTable(errors: Record<string, string>): string {
  return markdownTable(
    ['code', 'meaning'],
    Object.entries(errors).map(([code, meaning]) => [`\`${code}\``, meaning]),
  );
}
