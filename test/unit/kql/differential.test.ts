import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { select } from '../../../emulators/app-insights/src/kql/aggregates/samples.js';
import { datetimeToIso, type Row } from '../../../emulators/app-insights/src/kql/index.js';
import { at, DEPENDENCY_COLUMNS, engine, REQUEST_COLUMNS, source } from './fixture.js';

/**
 * The evaluator against plain JavaScript over the same random rows: small value ranges, so that keys repeat, with nulls and empty strings.
 */
interface Item {
  readonly time: number;
  readonly id: string;
  readonly name: string;
  readonly success: string;
  readonly duration: number | null;
  readonly itemCount: number;
  readonly operation: string;
}

const START = at('2026-01-01T00:00:00Z');
const SECOND = 10_000_000;

const item: fc.Arbitrary<Item> = fc.record({
  time: fc.integer({ min: -400, max: 400 }).map((s) => START + s * SECOND),
  id: fc.constantFrom('i1', 'i2', 'i3', 'i4'),
  name: fc.constantFrom('GET a', 'GET b', ''),
  success: fc.constantFrom('True', 'False', ''),
  duration: fc.option(fc.integer({ min: -20, max: 200 }).map((n) => n / 4)),
  itemCount: fc.integer({ min: 1, max: 5 }),
  operation: fc.constantFrom('o1', 'o2', 'o3', ''),
});
const items = fc.array(item, { maxLength: 40 });

function requestRow(i: Item): Row {
  return [i.time, i.id, i.name, i.success, i.duration, i.itemCount, i.operation, {}];
}

function dependencyRow(i: Item): Row {
  return [i.time, i.id, i.name, i.success, i.duration, i.itemCount, i.operation];
}

function run(text: string, requests: readonly Item[], dependencies: readonly Item[] = []): unknown[][] {
  const half = Math.floor(requests.length / 2);
  const rows = requests.map(requestRow);
  return engine.execute(text, {
    requests: source(REQUEST_COLUMNS, rows.slice(0, half), rows.slice(half)),
    dependencies: source(DEPENDENCY_COLUMNS, dependencies.map(dependencyRow)),
  }).rows;
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) groups.set(key(value), [...(groups.get(key(value)) ?? []), value]);
  return groups;
}

const numbers = (values: readonly Item[]): number[] =>
  values.map((v) => v.duration).filter((d) => d !== null);
const total = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

function nearestRank(values: readonly number[], p: number): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length === 0) return null;
  return sorted.find((v) => sorted.filter((other) => other <= v).length >= (p / 100) * sorted.length) ?? null;
}

describe('queries against plain JavaScript', () => {
  test('filter and project', () => {
    fc.assert(
      fc.property(items, fc.integer({ min: -5, max: 50 }), (data, limit) => {
        const expected = data
          .filter((i) => i.success === 'True' && i.duration !== null && i.duration > limit)
          .map((i) => [i.id, (i.duration as number) * 2]);
        expect(
          run(`requests | where success == true and duration > ${limit} | project id, duration * 2`, data),
        ).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('aggregates by bin and name', () => {
    fc.assert(
      fc.property(items, fc.constantFrom(1, 7, 60, 3600), (data, seconds) => {
        const bin = (time: number) => {
          // Bins count from the year 1; 2026-01-01 is a multiple of one hour, but not of seven seconds, away from it.
          const size = BigInt(seconds * SECOND);
          const sinceYear1 = BigInt(time) + 737_424n * 864_000_000_000n;
          return time - Number(sinceYear1 % size);
        };
        const expected = [...groupBy(data, (i) => `${bin(i.time)}|${i.name}`).values()].map((group) => {
          const first = group[0] as Item;
          const ds = numbers(group);
          return [
            datetimeToIso(bin(first.time)),
            first.name,
            group.length,
            total(group.map((i) => i.itemCount)),
            ds.length === 0 ? null : Math.max(...ds),
            nearestRank(ds, 90),
            new Set(group.map((i) => i.id)).size,
            group.filter((i) => i.success === 'False').length,
          ];
        });
        const text = `requests | summarize count(), sum(itemCount), max(duration), percentile(duration, 90), dcount(id), countif(success == "False") by bin(timestamp, ${seconds}s), name`;
        expect(run(text, data)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });

  test('mean, minimum and arg_max over everything', () => {
    fc.assert(
      fc.property(items, (data) => {
        const ds = numbers(data);
        const best = data.reduce<Item | undefined>((a, b) => {
          if (a === undefined) return b;
          return b.duration !== null && (a.duration === null || b.duration > a.duration) ? b : a;
        }, undefined);
        const [row] = run(
          'requests | summarize avg(duration), min(duration), arg_max(duration, id), make_set(operation_Id)',
          data,
        );
        expect(row?.[0]).toEqual(ds.length === 0 ? 'NaN' : expect.closeTo(total(ds) / ds.length, 9));
        expect(row?.slice(1)).toEqual([
          ds.length === 0 ? null : Math.min(...ds),
          best?.duration ?? null,
          best?.id ?? '',
          [...new Set(data.map((i) => i.operation))],
        ]);
      }),
      { numRuns: 60 },
    );
  });

  test('sort by two keys, and top', () => {
    fc.assert(
      fc.property(items, fc.boolean(), (data, ascending) => {
        const byDuration = (a: Item, b: Item) => {
          if (a.duration === b.duration) return 0;
          if (a.duration === null) return ascending ? -1 : 1;
          if (b.duration === null) return ascending ? 1 : -1;
          return ascending ? a.duration - b.duration : b.duration - a.duration;
        };
        const expected = data
          .toSorted((a, b) => byDuration(a, b) || b.itemCount - a.itemCount)
          .map((i) => [i.duration, i.itemCount]);
        const order = ascending ? 'asc' : 'desc';
        expect(
          run(`requests | sort by duration ${order}, itemCount | project duration, itemCount`, data),
        ).toEqual(expected);
        const top = data
          .toSorted(byDuration)
          .slice(0, 5)
          .map((i) => [i.duration]);
        expect(run(`requests | top 5 by duration ${order} | project duration`, data)).toEqual(top);
      }),
      { numRuns: 60 },
    );
  });

  test('joins', () => {
    const kinds = fc.constantFrom('inner', 'innerunique', 'leftouter', 'leftanti', 'leftsemi', 'fullouter');
    fc.assert(
      fc.property(items, items, kinds, (left, right, kind) => {
        const partners = (l: Item) =>
          right.filter((r) => r.operation === l.operation && r.itemCount === l.itemCount);
        const key = (i: Item) => `${i.operation}|${i.itemCount}`;
        const unique =
          kind === 'innerunique' ? [...groupBy(left, key).values()].map((g) => g[0] as Item) : left;
        const pairs = unique.flatMap((l) => partners(l).map((r) => [l.id, r.id]));
        const lonelyLeft = left.filter((l) => partners(l).length === 0).map((l) => [l.id, '']);
        const lonelyRight = right.filter((r) => !left.some((l) => key(l) === key(r))).map((r) => ['', r.id]);
        const expected = {
          inner: pairs,
          innerunique: pairs,
          leftouter: [...pairs, ...lonelyLeft],
          leftanti: lonelyLeft.map(([id]) => [id]),
          leftsemi: left.filter((l) => partners(l).length > 0).map((l) => [l.id]),
          fullouter: [...pairs, ...lonelyLeft, ...lonelyRight],
        }[kind];
        const columns = kind === 'leftanti' || kind === 'leftsemi' ? 'id' : 'id, id1';
        const actual = run(
          `requests | join kind=${kind} (dependencies | project id, operation_Id, itemCount) on operation_Id, itemCount | project ${columns}`,
          left,
          right,
        );
        const sorted = (rows: readonly unknown[][]) => rows.map((r) => r.join('|')).sort();
        expect(sorted(actual)).toEqual(sorted(expected));
      }),
      { numRuns: 120 },
    );
  });

  test('union, distinct, count', () => {
    fc.assert(
      fc.property(items, items, (left, right) => {
        const expected = new Set([...left, ...right].map((i) => `${i.id}|${i.operation}`));
        const rows = run('union requests, dependencies | distinct id, operation_Id', left, right);
        expect(rows.map((r) => r.join('|'))).toEqual([...expected]);
        expect(run('requests | union dependencies | count', left, right)).toEqual([
          [left.length + right.length],
        ]);
      }),
      { numRuns: 40 },
    );
  });

  test('make-series', () => {
    fc.assert(
      fc.property(items, (data) => {
        const bins = Array.from({ length: 10 }, (_, i) => START + (i - 5) * 60 * SECOND);
        const inside = data.filter((i) => i.time >= (bins[0] as number) && i.time < START + 5 * 60 * SECOND);
        const expected = [...groupBy(inside, (i) => i.name)].map(([name, group]) => [
          name,
          bins.map((b) =>
            total(group.filter((i) => i.time >= b && i.time < b + 60 * SECOND).map((i) => i.itemCount)),
          ),
        ]);
        const text =
          'requests | make-series n = sum(itemCount) on timestamp from datetime(2025-12-31T23:55:00Z) to datetime(2026-01-01T00:05:00Z) step 1m by name | project name, n';
        expect(run(text, data)).toEqual(expected);
      }),
      { numRuns: 60 },
    );
  });
});

describe('scalars against plain JavaScript', () => {
  const integer = fc.integer({ min: -90_000_000, max: 90_000_000 });

  test('integer division and modulo', () => {
    fc.assert(
      fc.property(integer, integer, (a, b) => {
        const [row] = run(`print ${a} / (${b}), ${a} % (${b}), ${a} * (${b}) - ${a}`, []);
        if (b === 0) expect(row).toEqual([null, null, 0 - a]);
        else {
          const rest = ((BigInt(a) % BigInt(b)) + BigInt(Math.abs(b))) % BigInt(Math.abs(b));
          const product = BigInt(a) * BigInt(b) - BigInt(a);
          expect(row).toEqual([Number(BigInt(a) / BigInt(b)), Number(rest), Number(product)]);
        }
      }),
      {
        numRuns: 100,
        examples: [
          [7, 0],
          [-7, 2],
          [90_000_000, 89_999_999],
        ],
      },
    );
  });

  test('has finds whole runs of letters and digits', () => {
    const word = fc.stringMatching(/^[a-cB1]{1,3}$/);
    const text = fc
      .array(fc.oneof(word, fc.constantFrom(' ', '-', '.', '_')), { maxLength: 8 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, word, (haystack, needle) => {
        const terms = haystack.toLowerCase().split(/[^a-z0-9]+/);
        const [row] = run(`print "${haystack}" has "${needle}", "${haystack}" hasprefix "${needle}"`, []);
        const folded = needle.toLowerCase();
        expect(row).toEqual([terms.includes(folded), terms.some((t) => t.startsWith(folded))]);
      }),
      { numRuns: 100 },
    );
  });

  test('selection finds what sorting finds', () => {
    const values = fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.double({ noNaN: true })), {
      minLength: 1,
      maxLength: 3000,
    });
    fc.assert(
      fc.property(values, fc.nat(), (data, seed) => {
        const index = seed % data.length;
        const sorted = Float64Array.from(data).sort();
        expect(select(Float64Array.from(data), index)).toBe(sorted[index]);
      }),
      { numRuns: 100 },
    );
    const ordered = Float64Array.from({ length: 100_000 }, (_, i) => i);
    expect(select(ordered, 95_000)).toBe(95_000);
    expect(
      select(
        Float64Array.from({ length: 100_000 }, () => 1),
        50_000,
      ),
    ).toBe(1);
    expect(
      select(
        Float64Array.from({ length: 100_000 }, (_, i) => (i * 7919) % 1000),
        99_999,
      ),
    ).toBe(999);
  });
});
