import { isMeasureName, MEASURE_TABLE } from '../analysis/measure-table.js';
import { quantity, withUnit } from '../analysis/quantity.js';
import { describeRange } from '../results/expected.js';
import type { RunResult } from '../results/result-schema.js';
import { publishedRows } from './difference-notes.js';
import { figure } from './key-figures.js';

/** One table of a report; the Markdown and the HTML report show the same. */
export interface ReportTable {
  title: string;
  /** A sentence before it; may be empty. */
  lead: string;
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** Columns of numbers. */
  right: readonly number[];
  /** Whether the first column holds names as `result.json` has them. */
  codeNames: boolean;
}

/** Measured beside published, with a remark on each difference; `null` for a scenario the article does not have. */
export function publishedTable(result: RunResult): ReportTable | null {
  const rows = publishedRows(result);
  if (rows.length === 0) return null;
  return {
    title: 'Measured and published',
    lead: `Test ${result.published?.test} of the article.`,
    header: ['measure', 'measured', 'published', 'difference', 'remark'],
    rows: rows.map(({ measure, unit, measured, published, differencePercent, note }) => [
      measure,
      withUnit(measured, unit, 3),
      withUnit(published, unit, 3),
      differencePercent === null ? '' : `${differencePercent > 0 ? '+' : ''}${quantity(differencePercent)} %`,
      note,
    ]),
    right: [1, 2, 3],
    codeNames: true,
  };
}

/** What the scenario expects, and how the run did; `null` when it expects nothing. */
export function expectedTable({ expected }: RunResult): ReportTable | null {
  if (expected === null) return null;
  const outcome = (ok: boolean | null, reason: string) => {
    if (ok === null) return `not judged: ${reason}`;
    return ok ? 'met' : 'missed';
  };
  const { bottleneck } = expected;
  return {
    title: 'Expected ranges',
    lead: '',
    header: ['measure', 'expected', 'measured', ''],
    rows: [
      ['bottleneck', bottleneck.expected, bottleneck.found, outcome(bottleneck.ok, 'the run is not valid')],
      ...expected.measures.map((range) => [
        range.measure,
        describeRange(range),
        range.value === null ? '-' : withUnit(range.value, range.unit, 3),
        outcome(range.ok, range.reason),
      ]),
    ],
    right: [2],
    codeNames: true,
  };
}

export function stepsTable({ steps }: RunResult): ReportTable | null {
  if (steps.length === 0) return null;
  return {
    title: 'Steps',
    lead: '',
    header: [
      'step',
      'time',
      'users',
      'req/s',
      'invoice ms',
      'p95 ms',
      'GetDroneUtilization ms',
      '429',
      'hottest partition %',
      'delivery CPU %',
    ],
    rows: steps.map(({ name, fromSecond, toSecond, users, measures }) => [
      name,
      `${fromSecond} to ${toSecond} s`,
      quantity(users),
      figure(measures['throughput.mean']),
      figure(measures['client.meanMs']),
      figure(measures['client.p95Ms']),
      figure(measures['utilization.meanMs']),
      figure(measures['cosmos.throttled']),
      figure(measures['partition.peakPercent']),
      figure(measures['cpu.delivery.meanPercent']),
    ]),
    right: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    codeNames: false,
  };
}

export function partitionsTable({ partitions }: RunResult): ReportTable | null {
  if (partitions.length === 0) return null;
  return {
    title: 'Physical partitions',
    lead: '',
    header: ['partition', 'limit RU/s', 'peak RU/s', 'best 5 s RU/s', 'requests', '429', 'first 429'],
    rows: partitions.map((one) => [
      `${one.container}/${one.partition}`,
      quantity(one.limitRuPerSecond, 3),
      quantity(one.peakRuPerSecond, 3),
      quantity(one.sustainedRuPerSecond, 3),
      quantity(one.requests),
      quantity(one.throttled),
      one.firstThrottledSecond === null ? '' : `${one.firstThrottledSecond} s`,
    ]),
    right: [1, 2, 3, 4, 5, 6],
    codeNames: false,
  };
}

export function measuresTable({ measures, lastQuarter }: RunResult): ReportTable {
  return {
    title: 'All measures',
    lead: '',
    header: ['measure', 'whole load', 'last quarter', 'unit'],
    rows: Object.entries(measures).map(([name, value]) => {
      const unit = isMeasureName(name) ? MEASURE_TABLE[name].unit : '';
      return [name, figure(value), figure(lastQuarter[name]), unit];
    }),
    right: [1, 2],
    codeNames: true,
  };
}

/** The judgement of a run about itself; `failed` marks a check that failed. */
export function validityTable({ validity }: RunResult, failed: string): ReportTable {
  const mark = (ok: boolean | null) => (ok === null ? 'unknown' : ok ? 'ok' : failed);
  return {
    title: 'Validity',
    lead: '',
    header: ['check', '', 'seen'],
    rows: validity.checks.map(({ check, ok, text }) => [check, mark(ok), text]),
    right: [],
    codeNames: false,
  };
}
