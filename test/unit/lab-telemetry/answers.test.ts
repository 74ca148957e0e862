import { describe, expect, it } from 'vitest';
import { answerChart } from '../../../lab/src/telemetry/answer-chart.js';
import { answerCsv, answerTable, grouped } from '../../../lab/src/telemetry/answer-formats.js';
import type { QueryAnswer } from '../../../lab/src/telemetry/telemetry-source.js';

const ANSWER: QueryAnswer = {
  columns: [
    { name: 'name', type: 'string' },
    { name: 'count_', type: 'long' },
    { name: 'more', type: 'dynamic' },
  ],
  rows: [
    ['a,"b"', 1234567, { x: [1] }],
    ['two\nlines', null, null],
  ],
};

it('numbers are grouped, and not rounded', () => {
  expect([0, 999, 1000, -1234567.125, 1e21, 0.1].map(grouped)).toEqual([
    '0',
    '999',
    '1,000',
    '-1,234,567.125',
    '1e+21',
    '0.1',
  ]);
});

it('a table has numbers on the right, and every row on one line', () => {
  expect(answerTable(ANSWER).split('\n')).toEqual([
    'name          count_  more',
    'a,"b"      1,234,567  {"x":[1]}',
    'two lines',
    '(2 rows)',
  ]);
});

it('a very long cell is cut', () => {
  const [, row = ''] = answerTable({
    columns: [{ name: 'a', type: 'string' }],
    rows: [['x'.repeat(500)]],
  }).split('\n');
  expect(row).toHaveLength(60);
  expect(row.endsWith('…')).toBe(true);
});

it('CSV quotes as RFC 4180 says', () => {
  expect(answerCsv(ANSWER)).toBe('name,count_,more\r\n"a,""b""",1234567,"{""x"":[1]}"\r\n"two\nlines",,\r\n');
});

describe('a chart', () => {
  const overTime = (rows: unknown[][]): QueryAnswer => ({
    columns: [
      { name: 'timestamp', type: 'datetime' },
      { name: 'Answer', type: 'string' },
      { name: 'Attempts', type: 'long' },
    ],
    rows,
    visualization: { kind: 'timechart', properties: {} },
  });

  it('over time has one line per series, on one scale', () => {
    const lines = answerChart(
      overTime([
        ['2026-01-02T03:00:00Z', '2xx', 10],
        ['2026-01-02T03:00:10Z', '2xx', 80],
        ['2026-01-02T03:00:10Z', '429', 40],
      ]),
      80,
    ).split('\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(/^2xx {2}▂+█ {2}max 80$/);
    expect(lines[1]).toMatch(/^429 {2} +▅ {2}max 40$/);
    expect(lines[2]).toMatch(/^ {5}03:00:00 +03:00:10$/);
  });

  it('draws the columns that render names', () => {
    const answer: QueryAnswer = {
      columns: [
        { name: 'Role', type: 'string' },
        { name: 'Requests', type: 'long' },
        { name: 'MeanMs', type: 'real' },
      ],
      rows: [
        ['gateway', 5, 100],
        ['delivery', 5, 50],
      ],
      visualization: { kind: 'barchart', properties: { xcolumn: 'Role', ycolumns: ['MeanMs'] } },
    };
    const [title, first = '', second = ''] = answerChart(answer, 60).split('\n');
    expect(title).toBe('MeanMs');
    const length = (line: string) => line.split('█').length - 1;
    expect(first).toMatch(/^gateway {3}█+ 100$/);
    expect(length(second) * 2).toBe(length(first));
  });

  it('says why there is nothing to draw', () => {
    expect(answerChart({ columns: [{ name: 'a', type: 'string' }], rows: [['x']] }, 80)).toMatch(
      /no column of numbers/,
    );
    expect(answerChart(overTime([]), 80)).toMatch(/no rows/);
    expect(
      answerChart(
        overTime([
          ['2026-01-02T03:00:00Z', 'a', null],
          ['2026-01-02T03:00:10Z', 'a', null],
        ]),
        80,
      ),
    ).toMatch(/no values/);
  });

  it('of a value that has one time only is a bar', () => {
    expect(answerChart(overTime([['2026-01-02T03:00:00Z', 'a', 3]]), 80)).toMatch(/^Attempts\na {2}█+ 3$/);
  });
});
