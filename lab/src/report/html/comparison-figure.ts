import { quantity } from '../../analysis/quantity.js';
import { publishedMeasures, readArticle } from '../../results/article.js';
import { barChart } from './bar-chart.js';
import type { Figure } from './figure.js';
import type { ReportedRun } from './reported-run.js';
import type { Tone } from './tone.js';

interface Row {
  name: string;
  measured: ReportedRun['result'] | null;
  published: Readonly<Record<string, number | undefined>> | null;
}

const SHOWN = [
  { measure: 'throughput.mean', unit: 'requests/s, mean of the load' },
  { measure: 'utilization.meanMs', unit: 'GetDroneUtilization, mean in ms' },
] as const;
const MEASURED: Tone = 'blue';
const PUBLISHED: Tone = 'grey';

/** Chart 8: the tests side by side, measured and published. Tests that these runs are not are shown as published. */
export function comparisonFigure(runs: readonly ReportedRun[]): Figure {
  const rows = rowsOf(runs);
  const reading =
    'What each test of the article brought, as published and as measured here. The published figures come from another system under another load, so their order and their steps are what to compare.';
  return {
    number: 8,
    wide: 'halves',
    title: 'The tests compared',
    reading,
    pictures: SHOWN.map(({ measure, unit }) =>
      barChart({
        id: `chart-8-${measure.replace('.', '-')}`,
        title: unit,
        description: reading,
        unit,
        groups: rows.map(({ name, measured, published }) => ({
          name,
          bars: [
            ...(measured === null
              ? []
              : [{ value: measured.measures[measure] ?? null, tone: MEASURED, label: '' }]),
            ...(published === null
              ? []
              : [{ value: published[measure] ?? null, tone: PUBLISHED, label: '(published)' }]),
          ],
        })),
      }),
    ),
    legend: [
      { name: 'measured', tone: MEASURED, shape: 'bar', strong: false },
      { name: 'published', tone: PUBLISHED, shape: 'bar', strong: false },
    ],
    table: {
      header: ['test', ...SHOWN.flatMap(({ unit }) => [`${unit}, measured`, 'published'])],
      rows: rows.map(({ name, measured, published }) => [
        name,
        ...SHOWN.flatMap(({ measure }) => [text(measured?.measures[measure]), text(published?.[measure])]),
      ]),
      note: '',
    },
  };
}

/** The article's tests in order, each with its run where there is one; then runs of other scenarios. */
function rowsOf(runs: readonly ReportedRun[]): Row[] {
  const tests = Object.entries(readArticle().tests).flatMap(([test, { name }]): Row[] => {
    const published = publishedMeasures(Number(test));
    const own = runs.filter((one) => one.result.published?.test === Number(test));
    if (own.length === 0) return [{ name: `${test} ${name}`, measured: null, published }];
    return own.map(({ result }) => ({
      name: `${test} ${result.scenario.name}`,
      measured: result,
      published,
    }));
  });
  const others = runs
    .filter((run) => run.result.published === null)
    .map((run): Row => ({ name: run.result.scenario.name, measured: run.result, published: null }));
  return [...tests, ...others];
}

function text(value: number | undefined): string {
  return value === undefined ? '' : quantity(value, 3);
}
