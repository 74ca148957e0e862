import { quantity } from '../../analysis/quantity.js';
import type { RunResult } from '../../results/result-schema.js';
import { publishedRows } from '../difference-notes.js';
import { caveatOf, figure as figureText, KEY_FIGURES, publishedNote, sealedNote } from '../key-figures.js';
import type { ReportTable } from '../report-tables.js';
import { setUpTable } from '../set-up.js';
import { comparisonFigure } from './comparison-figure.js';
import { findingCard } from './diagnosis-section.js';
import { figure } from './figure.js';
import { html, type Markup } from './markup.js';
import { page, reportTable, tableSection } from './page.js';
import { overlaidFigures } from './progression-figures.js';
import type { ReportedRun } from './reported-run.js';
import { transactionFigure } from './transaction-figure.js';

/** `report.html` of a progression: its runs on the same axes, and what held each of them back. */
export function progressionHtml(runs: readonly ReportedRun[]): string {
  const results = runs.map((run) => run.result);
  const note = publishedNote(results);
  return page(
    'Bottleneck progression',
    html`<header><h1>Bottleneck progression</h1>
<p class="meta">${results.map(({ scenario }) => scenario.name).join(', then ')}${results[0] === undefined ? '' : `; ${results[0].startedAt}`}</p></header>
<section><h2>Measured and published</h2>
${reportTable(figuresTable(results))}
${note === '' ? null : html`<p class="note">${note}</p>`}</section>
<section id="diagnosis"><h2>What held each of them back</h2>
${results.map(runDiagnosis)}</section>
<section id="charts"><h2>Charts</h2><div class="charts">
${[...overlaidFigures(runs), transactionFigure(runs), comparisonFigure(runs)].map(figure)}
</div></section>
${tableSection(differencesTable(results))}
${tableSection(setUpsTable(results))}
${tableSection(validityTable(results))}
<footer>Each run has a report of its own beside its <code>result.json</code>: ${results.map(({ id, scenario }, at) => [at === 0 ? '' : ', ', html`<a href="${id}/report.html">${scenario.name}</a>`])}.</footer>`,
  );
}

function figuresTable(results: readonly RunResult[]): ReportTable {
  return {
    title: '',
    lead: '',
    header: ['', ...results.map(({ scenario }) => scenario.name)],
    rows: [
      ...KEY_FIGURES.map(({ title, measure }) => [
        title.trim(),
        ...results.map(({ measures, published }) => {
          const known = published?.measures[measure];
          return `${figureText(measures[measure])}${known === undefined ? '' : ` (${figureText(known)})`}`;
        }),
      ]),
      ['bottleneck', ...results.map(({ diagnosis }) => diagnosis.findings[0]?.title ?? '-')],
    ],
    right: results.map((_, at) => at + 1),
    codeNames: false,
  };
}

function runDiagnosis(result: RunResult): Markup {
  const [first] = result.diagnosis.findings;
  const caveat = caveatOf(result);
  if (result.sealed) return html`<p>${result.scenario.title}: ${sealedNote(result)}</p>`;
  return html`${caveat === '' ? null : html`<p class="caveat">${result.scenario.name}: ${caveat}</p>`}
${first === undefined ? null : findingCard(first, result.scenario.title)}`;
}

function differencesTable(results: readonly RunResult[]): ReportTable | null {
  const rows = results.flatMap((result) =>
    publishedRows(result)
      .filter((row) => row.note !== 'agrees')
      .map((row) => [
        row.measure,
        result.scenario.name,
        figureText(row.measured),
        figureText(row.published),
        row.differencePercent === null ? '' : `${quantity(row.differencePercent)} %`,
        row.note,
      ]),
  );
  if (rows.length === 0) return null;
  return {
    title: 'Where the figures differ, and why',
    lead: 'Figures that agree within 15 % are left out.',
    header: ['measure', 'scenario', 'measured', 'published', 'difference', 'remark'],
    rows,
    right: [2, 3, 4],
    codeNames: true,
  };
}

/** Set-ups side by side; what is equal in all runs is said once. */
function setUpsTable(results: readonly RunResult[]): ReportTable | null {
  const [first, ...others] = results.map((result) => setUpTable(result).rows);
  if (first === undefined) return null;
  const rows = first.map(([what = '', value = ''], at) => {
    const values = [value, ...others.map((of) => of[at]?.[1] ?? '')];
    const same = values.every((one) => one === value);
    return [
      what,
      same
        ? `${value}`
        : results.map(({ scenario }, index) => `${scenario.name}: ${values[index]}`).join('; '),
    ];
  });
  return { title: 'Set-up', lead: '', header: ['what', 'value'], rows, right: [], codeNames: false };
}

function validityTable(results: readonly RunResult[]): ReportTable {
  return {
    title: 'Validity',
    lead: '',
    header: ['run', 'check', '', 'seen'],
    rows: results.flatMap(({ scenario, validity }) =>
      validity.checks.map(({ check, ok, text }) => [
        scenario.name,
        check,
        ok === null ? 'unknown' : ok ? 'ok' : 'failed',
        text,
      ]),
    ),
    right: [],
    codeNames: false,
  };
}
