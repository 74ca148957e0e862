import type { DataTable, Figure } from './figure.js';
import { html } from './markup.js';
import type { ReportedRun } from './reported-run.js';
import { describe, waterfallChart, waterfallSummary, waterfallTable } from './waterfall-chart.js';

/** Chart 7: one transaction from the gateway to the partitions and back, or why there is none and how to get one. */
export function transactionFigure(runs: readonly ReportedRun[]): Figure {
  const several = runs.length > 1;
  const tables: DataTable[] = [];
  const pictures = noneHasTelemetry(runs)
    ? [missing('', noTelemetry(runs))]
    : runs.flatMap((run, at) => {
        const { transactions, result } = run;
        const lead = several ? `${result.scenario.name}: ` : '';
        if ('missing' in transactions) {
          return [
            html`<p class="missing"><strong>${lead}No transaction.</strong> ${transactions.missing}</p>`,
          ];
        }
        // A progression shows one for each test: the slowest is the last.
        const shown = several ? transactions.shown.slice(0, 1) : transactions.shown;
        return shown.map(({ what, operation }, index) => {
          tables.push(waterfallTable(operation));
          return html`<div><h4>${lead}${what}</h4><p>${describe(operation)}.${waterfallSummary(operation).queries === 0 ? ' Telemetry of the services that query the database is missing.' : ''}</p>
${waterfallChart(`chart-7-${at}-${index}`, operation)}</div>`;
        });
      });
  const [first] = tables;
  return {
    number: 7,
    wide: 'whole',
    title: 'An end-to-end transaction',
    reading:
      'Every bar lies on the same scale of time. Hatched: waiting to try again after a 429. Filled in orange: a call that was refused or failed.',
    pictures,
    legend: [],
    table:
      first === undefined
        ? null
        : { header: first.header, rows: tables.flatMap((table) => table.rows), note: '' },
  };
}

const missing = (lead: string, why: string) =>
  html`<p class="missing"><strong>${lead}No transaction.</strong> ${why}</p>`;

/** Several runs that lack the same are told once. */
function noneHasTelemetry(runs: readonly ReportedRun[]): boolean {
  return runs.length > 1 && runs.every(({ result }) => !result.telemetry && result.target.kind !== 'attach');
}

function noTelemetry(runs: readonly ReportedRun[]): string {
  const names = [...new Set(runs.map(({ result }) => result.scenario.name))].join(' ');
  return `Services sent no telemetry in these runs, so no transaction can be followed. To get one of each: lab run ${names} --telemetry`;
}
