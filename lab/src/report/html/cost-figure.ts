import { quantity } from '../../analysis/quantity.js';
import { barChart } from './bar-chart.js';
import type { Figure } from './figure.js';
import type { ReportedRun } from './reported-run.js';

/** Chart 6: what one successful operation asks for and pays, step by step. */
export function costFigure({ result }: ReportedRun): Figure {
  const { measures, steps } = result;
  const known = (name: string) => {
    const value = measures[name];
    return value === undefined ? 'an unknown number of' : quantity(value, 3);
  };
  const rows = steps.map(({ fromSecond, toSecond, users, measures: of }) => ({
    name: `${quantity(users)} users`,
    time: `${fromSecond} to ${toSecond} s`,
    queries: of['cosmos.queriesPerOperation'] ?? null,
    requestUnits: of['cosmos.ruPerOperation'] ?? null,
  }));
  const reading = `One operation made ${known('cosmos.queriesPerOperation')} partition queries (${known('cosmos.attemptsPerOperation')} attempts) and cost ${known('cosmos.ruPerOperation')} RU. In a single step the two swing a little, for an operation may begin in one step and end in the next.`;
  const picture = (id: string, unit: string, shownOf: (row: (typeof rows)[number]) => number | null) =>
    barChart({
      id: `chart-6-${id}`,
      title: `${unit} by step of the load`,
      description: reading,
      unit,
      groups: rows.map((row) => ({
        name: row.name,
        bars: [{ value: shownOf(row), tone: id === 'queries' ? 'blue' : 'green', label: '' }],
      })),
    });
  return {
    number: 6,
    title: 'Partition queries and request units per successful operation',
    reading,
    pictures:
      rows.length === 0
        ? []
        : [
            picture('queries', 'partition queries per operation', (row) => row.queries),
            picture('ru', 'RU per operation', (row) => row.requestUnits),
          ],
    legend: [],
    table:
      rows.length === 0
        ? null
        : {
            header: ['step', 'time', 'partition queries', 'RU'],
            rows: rows.map(({ name, time, queries, requestUnits }) => [
              name,
              time,
              queries === null ? '' : quantity(queries, 3),
              requestUnits === null ? '' : quantity(requestUnits, 3),
            ]),
            note: '',
          },
  };
}
