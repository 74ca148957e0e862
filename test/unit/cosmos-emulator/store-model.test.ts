import fc from 'fast-check';
import { expect, test } from 'vitest';
import { candidatesOf, ItemCursor } from '../../../emulators/cosmos/src/query/candidates.js';
import { runPage } from '../../../emulators/cosmos/src/query/page.js';
import { compileQuery, parseQuery } from '../../../emulators/cosmos/src/sql/index.js';
import { Account } from '../../../emulators/cosmos/src/store/account.js';
import type { Container } from '../../../emulators/cosmos/src/store/container.js';
import { DEFAULT_MODEL } from '../../../emulators/cosmos/src/store/container-model.js';
import { deleteItem, type ItemPlace, upsertItem } from '../../../emulators/cosmos/src/store/item-writes.js';
import { loadSnapshot, parseSnapshot, takeSnapshot } from '../../../emulators/cosmos/src/store/snapshot.js';

/** Random changes against a plain Map, queried through indexes and pages at every stage. */
interface Change {
  kind: 'upsert' | 'delete' | 'split';
  id: string;
  key: string;
  value: string | number | boolean | null | undefined;
}

const NOW_MS = 1_700_000_000_000;
const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom('upsert', 'upsert', 'upsert', 'delete', 'split'),
  id: fc.constantFrom('a', 'b', 'c', 'd'),
  key: fc.constantFrom('k1', 'k2', 'k3'),
  value: fc.constantFrom('x', 'y', 1, '1', true, null, undefined),
});

function newContainer(): Container {
  const account = new Account({ clock: { now: () => NOW_MS }, defaultModel: DEFAULT_MODEL });
  return account.createDatabase('db', null).createContainer({
    definition: { id: 'c', partitionKey: { paths: ['/k'], version: 2 } },
    throughput: null,
  });
}

function placeOf(container: Container, key: string): ItemPlace {
  const partitionKey = container.keys.of([key]);
  const partition = container.layout.owning(partitionKey.effective);
  return { container, partition, key: partitionKey, nowMs: NOW_MS };
}

function apply(container: Container, model: Map<string, object>, { kind, id, key, value }: Change): void {
  if (kind === 'split') {
    if (container.partitions.length < 6) container.setPhysicalPartitions(container.partitions.length + 1);
    return;
  }
  const place = placeOf(container, key);
  if (kind === 'upsert') {
    const body = value === undefined ? { id, k: key } : { id, k: key, v: value };
    model.set(`${key}/${id}`, { ...body });
    upsertItem(place, body, {});
  } else if (model.delete(`${key}/${id}`)) {
    deleteItem(place, id, {});
  } else {
    expect(() => deleteItem(place, id, {})).toThrow(/does not exist/);
  }
}

/** All pages of all partitions, as a client would read them. */
function queryAll(
  container: Container,
  text: string,
  maxItems: number,
  ofKey?: string,
): Record<string, unknown>[] {
  const query = compileQuery(parseQuery(text), []);
  const found: Record<string, unknown>[] = [];
  const scope = ofKey === undefined ? {} : { key: container.keys.of([ofKey]) };
  for (const partition of container.partitions) {
    let from = { sequence: 0, skip: 0, offset: 0 };
    for (;;) {
      const candidates = candidatesOf(container, partition, query.equalityFilters, scope);
      const cursor = new ItemCursor(candidates, {
        nowMs: NOW_MS,
        fromSequence: from.sequence,
        keepsOrder: query.streaming,
      });
      const page = runPage(query, cursor, { maxItems, from });
      expect(page.results.length).toBeLessThanOrEqual(maxItems);
      found.push(...page.results.map((result) => JSON.parse(result)));
      if (page.next === null) break;
      from = page.next;
    }
  }
  return found;
}

const own = ({ id, k, v }: Record<string, unknown>) => JSON.stringify({ id, k, v });

test('indexes and pages give what a plain filter gives, after any changes', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.integer({ min: 1, max: 5 }), (changes, maxItems) => {
      const container = newContainer();
      const model = new Map<string, object>();
      // The indexes exist from the start, so that every change has to maintain them.
      for (const partition of container.partitions)
        for (const path of ['v', 'k', 'id']) partition.indexOf([path]);
      for (const step of changes) apply(container, model, step);
      const all = [...model.values()] as Record<string, unknown>[];
      const expectSame = (text: string, matches: (item: Record<string, unknown>) => boolean) =>
        expect(queryAll(container, text, maxItems).map(own).sort()).toEqual(
          all.filter(matches).map(own).sort(),
        );
      expectSame('SELECT * FROM c', () => true);
      expectSame('SELECT * FROM c WHERE c.v = "x"', ({ v }) => v === 'x');
      expectSame('SELECT * FROM c WHERE c.v = 1 AND c.k = "k2"', ({ v, k }) => v === 1 && k === 'k2');
      expectSame(
        'SELECT * FROM c WHERE c.v IN ("1", true, null)',
        ({ v }) => v === '1' || v === true || v === null,
      );
      expectSame('SELECT c.id, c.k, c.v FROM c WHERE NOT IS_DEFINED(c.v)', ({ v }) => v === undefined);
      expectSame('SELECT * FROM c WHERE c.v = "x" ORDER BY c.id', ({ v }) => v === 'x');
      for (const key of ['k1', 'k2']) {
        const ofKey = queryAll(container, 'SELECT * FROM c WHERE c.v IN ("x", 1)', maxItems, key);
        const expected = all.filter(({ k, v }) => k === key && (v === 'x' || v === 1));
        expect(ofKey.map(own).sort()).toEqual(expected.map(own).sort());
      }
      expect(container.itemCount).toBe(all.length);
      const bytes = container.partitions
        .flatMap(({ items }) => items.list)
        .reduce((sum, item) => sum + item.bytes, 0);
      expect(container.storedBytes).toBe(bytes);
    }),
    { numRuns: 300 },
  );
});

test('a snapshot holds exactly what is stored', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const container = newContainer();
      const model = new Map<string, object>();
      for (const step of changes) apply(container, model, step);
      const { account } = container.database;
      const snapshot = JSON.parse(JSON.stringify(takeSnapshot(account)));
      const other = new Account({ clock: { now: () => NOW_MS }, defaultModel: DEFAULT_MODEL });
      loadSnapshot(other, parseSnapshot(JSON.parse(JSON.stringify(snapshot))));
      expect(queryAll(other.container('db', 'c'), 'SELECT * FROM c', 100).map(own).sort()).toEqual(
        ([...model.values()] as Record<string, unknown>[]).map(own).sort(),
      );
      expect(other.container('db', 'c').partitions).toHaveLength(container.partitions.length);
    }),
    { numRuns: 50 },
  );
});
