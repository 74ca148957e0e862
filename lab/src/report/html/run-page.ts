import { quantity } from '../../analysis/quantity.js';
import { readArticle } from '../../results/article.js';
import type { RunResult } from '../../results/result-schema.js';
import { caveatOf } from '../key-figures.js';
import {
  expectedTable,
  measuresTable,
  partitionsTable,
  publishedTable,
  stepsTable,
  validityTable,
} from '../report-tables.js';
import { setUpTable } from '../set-up.js';
import { comparisonFigure } from './comparison-figure.js';
import { costFigure } from './cost-figure.js';
import { diagnosisSection } from './diagnosis-section.js';
import { figure } from './figure.js';
import { kneeOf } from './knee.js';
import { operationsFigure, usersFigure } from './load-figures.js';
import { html, type Markup } from './markup.js';
import { page, reportTable, tableSection } from './page.js';
import type { ReportedRun } from './reported-run.js';
import { cpuFigure, partitionsFigure, responsesFigure } from './resource-figures.js';
import { transactionFigure } from './transaction-figure.js';

/** `report.html` of one run. The same run gives the same bytes. */
export function runHtml(run: ReportedRun): string {
  const { result } = run;
  const caveat = caveatOf(result);
  return page(
    `${result.scenario.title} (${result.scenario.name})`,
    html`<header><h1>${result.scenario.title}</h1>
<p class="meta">Scenario <code>${result.scenario.name}</code>, run <code>${result.id}</code>, ${result.startedAt}, ${result.measuredSeconds} of ${result.plannedSeconds} s, seed ${result.seed}</p>
${caveat === '' ? null : html`<p class="caveat">${caveat}</p>`}
${keyFigures(result)}</header>
${diagnosisSection(result)}
<section id="charts"><h2>Charts</h2><div class="charts">
${figuresOf(run)}
</div></section>
${tableSection(publishedTable(result))}
${sourceNote(result)}
${tableSection(expectedTable(result))}
${measurementSection(result)}
${tableSection(stepsTable(result))}
${tableSection(partitionsTable(result))}
${tableSection(setUpTable(result))}
${tableSection(measuresTable(result))}
<footer>All figures come from this run's <code>result.json</code> and its measurement rows, result schema ${result.schemaVersion}.</footer>`,
  );
}

function figuresOf(run: ReportedRun): Markup[] {
  return [
    usersFigure(run),
    operationsFigure(run),
    cpuFigure(run),
    responsesFigure(run),
    partitionsFigure(run),
    costFigure(run),
    transactionFigure([run]),
    comparisonFigure([run]),
  ].map(figure);
}

const KEY = [
  { measure: 'throughput.mean', unit: 'req/s', what: 'throughput' },
  { measure: 'client.meanMs', unit: 'ms', what: 'invoice, mean' },
  { measure: 'utilization.meanMs', unit: 'ms', what: 'GetDroneUtilization, mean' },
  { measure: 'cosmos.throttledPercent', unit: '%', what: 'of queries answered 429' },
  { measure: 'cosmos.ruPerOperation', unit: 'RU', what: 'per operation' },
  { measure: 'cpu.delivery.last5sPercent', unit: '%', what: 'of its CPU limit, delivery, last 5 s' },
  { measure: 'client.errors', unit: '', what: 'failed requests' },
] as const;

/** The figures that tell runs apart, for who reads nothing else. */
function keyFigures({ measures, published }: RunResult): Markup {
  const known = KEY.flatMap(({ measure, unit, what }) => {
    const value = measures[measure];
    if (value === undefined) return [];
    const article = published?.measures[measure];
    return html`<li><b>${quantity(value, 3)} ${unit}</b><span>${what}${article === undefined ? '' : ` (published: ${quantity(article, 3)})`}</span></li>`;
  });
  return html`<ul class="key">${known}</ul>`;
}

/** Whether the measurement can be believed: its own checks, Little's law among them, and the knee. */
function measurementSection(result: RunResult): Markup {
  const little = result.validity.checks.find((one) => one.check === 'littles-law');
  return html`<section id="validity"><h2>Validity</h2>
<p>${result.validity.valid ? 'This run is valid.' : html`<strong class="missed">This run is not valid.</strong>`} Little's law for a closed load says that users = throughput × (latency + think time). ${little === undefined ? '' : `Here ${little.text}.`} ${kneeOf(result).text}</p>
${reportTable(validityTable(result, 'failed'))}
</section>`;
}

function sourceNote({ published }: RunResult): Markup | null {
  if (published === null) return null;
  const { article, articleUrl } = readArticle().source;
  return html`<p class="note">Published figures: <a href="${articleUrl}">${article}</a>.</p>`;
}
