import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { QueryInfo } from '../../../emulators/cosmos/src/sql/index.js';
import { planOf, run } from './run-query.js';

type Row = Record<string, unknown>;
type SortedRow = { orderByItems: { item?: unknown }[]; payload: unknown };
type Partial = { item?: unknown; item2?: Record<string, unknown> };

const PLACEHOLDER = '{documentdb-formattableorderbyquery-filter}';

/** Merges the answers of partitions as a client does, by the plan alone. */
function runAcross(text: string, partitions: readonly (readonly Row[])[]): unknown[] {
  const { queryInfo: info } = planOf(text);
  const query = info.rewrittenQuery === '' ? text : info.rewrittenQuery.replace(PLACEHOLDER, 'true');
  const answers = partitions.map((partition) => run(query, partition));
  return windowed(info, deduplicated(info, merged(info, answers)));
}

function merged(info: QueryInfo, answers: unknown[][]): unknown[] {
  if (info.orderBy.length > 0) return mergeSorted(info, answers as SortedRow[][]);
  const grouped = info.groupByExpressions.length + info.aggregates.length + info.groupByAliases.length > 0;
  return grouped ? mergeGroups(info, answers.flat()) : answers.flat();
}

function mergeSorted(info: QueryInfo, answers: SortedRow[][]): unknown[] {
  const signs = info.orderBy.map((order) => (order === 'Ascending' ? 1 : -1));
  const rows = answers.flat();
  rows.sort((left, right) => {
    for (const [index, sign] of signs.entries()) {
      const a = left.orderByItems[index]?.item as number;
      const b = right.orderByItems[index]?.item as number;
      if (a !== b) return (a < b ? -1 : 1) * sign;
    }
    return 0;
  });
  return rows.map((row) => row.payload);
}

function mergeGroups(info: QueryInfo, rows: unknown[]): unknown[] {
  const groups = new Map<string, { groupByItems?: unknown; payload: unknown }[]>();
  for (const row of rows as { groupByItems?: unknown; payload: unknown }[]) {
    const part = info.groupByExpressions.length === 0 && info.hasSelectValue ? { payload: row } : row;
    const id = JSON.stringify(part.groupByItems ?? null);
    groups.set(id, [...(groups.get(id) ?? []), part]);
  }
  const results: unknown[] = [];
  for (const parts of groups.values()) {
    const payloads = parts.map((part) => part.payload);
    if (info.hasSelectValue) {
      const [type] = info.aggregates;
      const value = type
        ? combine(
            type,
            payloads.map((payload) => (payload as Partial[])[0] as Partial),
          )
        : payloads[0];
      if (value !== undefined) results.push(value);
      continue;
    }
    const result: Row = {};
    for (const [name, type] of Object.entries(info.groupByAliasToAggregateType)) {
      const shares = payloads.map((payload) => (payload as Row)[name]);
      const value = type ? combine(type, shares as Partial[]) : shares[0];
      if (value !== undefined) result[name] = value;
    }
    results.push(result);
  }
  return results;
}

function combine(type: string, partials: Partial[]): unknown {
  const sum = (pick: (partial: Partial) => unknown) =>
    partials.reduce((total, partial) => total + (pick(partial) as number), 0);
  switch (type) {
    case 'Count':
    case 'Sum':
      return sum(({ item }) => item);
    case 'Average': {
      const count = sum(({ item }) => (item as Row).count);
      return count === 0 ? undefined : sum(({ item }) => (item as Row).sum) / count;
    }
    default: {
      const found = partials
        .map(({ item2 }) => item2?.[type.toLowerCase()])
        .filter((value): value is number => value !== undefined)
        .sort((a, b) => (type === 'Min' ? a - b : b - a));
      return found[0];
    }
  }
}

function deduplicated(info: QueryInfo, rows: unknown[]): unknown[] {
  if (info.distinctType === 'None') return rows;
  const key = (row: unknown) => JSON.stringify(row);
  if (info.distinctType === 'Unordered') return [...new Map(rows.map((row) => [key(row), row])).values()];
  return rows.filter((row, index) => index === 0 || key(row) !== key(rows[index - 1]));
}

function windowed({ top, offset, limit }: QueryInfo, rows: unknown[]): unknown[] {
  const from = offset ?? 0;
  return rows.slice(from, from + (top ?? limit ?? rows.length));
}

const rows = fc.array(
  fc.record(
    {
      n: fc.integer({ min: 0, max: 9 }),
      team: fc.constantFrom('a', 'b', 'c'),
      tags: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    },
    { requiredKeys: ['tags'], noNullPrototype: true },
  ),
  { maxLength: 20 },
);
const layouts = fc.record({ rows, partitions: fc.integer({ min: 1, max: 4 }), salt: fc.nat() });

/** Queries whose merged answer has one order, and queries whose answer is a bag. */
const queries: readonly (readonly [string, 'ordered' | 'unordered'])[] = [
  ['SELECT VALUE c.n FROM c WHERE c.n > 2', 'unordered'],
  ['SELECT c.team, t FROM c JOIN t IN c.tags', 'unordered'],
  ['SELECT VALUE COUNT(1) FROM c', 'ordered'],
  ['SELECT VALUE COUNT(c.n) FROM c WHERE c.team = "a"', 'ordered'],
  ['SELECT VALUE SUM(c.n) FROM c', 'ordered'],
  ['SELECT VALUE AVG(c.n + 1) FROM c', 'ordered'],
  ['SELECT VALUE MIN(c.n) FROM c', 'ordered'],
  ['SELECT VALUE MAX(c.n) FROM c', 'ordered'],
  ['SELECT COUNT(1), MIN(c.n) AS low, MAX(c.n) AS high, AVG(c.n) AS mean, "k" AS k FROM c', 'ordered'],
  [
    'SELECT c.team, COUNT(1) AS n, SUM(c.n) AS s, MIN(c.n), MAX(c.n), AVG(c.n) FROM c GROUP BY c.team',
    'unordered',
  ],
  ['SELECT c.team, c.n FROM c GROUP BY c.team, c.n', 'unordered'],
  ['SELECT VALUE UPPER(c.team) FROM c GROUP BY UPPER(c.team)', 'unordered'],
  ['SELECT VALUE MAX(c.n) FROM c GROUP BY c.team', 'unordered'],
  ['SELECT DISTINCT VALUE c.team FROM c', 'unordered'],
  ['SELECT DISTINCT c.team, c.n > 4 AS big FROM c', 'unordered'],
  ['SELECT VALUE c.n FROM c ORDER BY c.n', 'ordered'],
  ['SELECT VALUE c.n FROM c ORDER BY c.n DESC', 'ordered'],
  ['SELECT TOP 3 VALUE c.n FROM c WHERE IS_DEFINED(c.n) ORDER BY c.n DESC', 'ordered'],
  [
    'SELECT c.n, c.team FROM c WHERE IS_DEFINED(c.n) AND IS_DEFINED(c.team) ORDER BY c.team DESC, c.n OFFSET 2 LIMIT 4',
    'ordered',
  ],
  ['SELECT DISTINCT VALUE c.n FROM c ORDER BY c.n OFFSET 1 LIMIT 3', 'ordered'],
  ['SELECT DISTINCT TOP 2 c.n FROM c ORDER BY c.n', 'ordered'],
  ['SELECT DISTINCT VALUE c.team FROM c WHERE IS_DEFINED(c.team) ORDER BY c.team DESC', 'ordered'],
];

describe('a query over partitions', () => {
  it.each(queries)('%s', (text, order) => {
    fc.assert(
      fc.property(layouts, ({ rows: all, partitions, salt }) => {
        const whole = all.map((row, index): Row => ({ ...row, _rid: `rid${index}` }));
        const split = Array.from({ length: partitions }, (_, partition) =>
          whole.filter((_row, index) => (index * 7 + salt) % partitions === partition),
        );
        const normalize = (answer: unknown[]) =>
          order === 'ordered' ? answer : answer.map((row) => JSON.stringify(row)).sort();
        expect(normalize(runAcross(text, split))).toEqual(normalize(run(text, whole)));
      }),
      { numRuns: 200 },
    );
  });
});
