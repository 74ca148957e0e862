import { describe, expect, test } from 'vitest';
import { systemClock } from '../../../emulators/cosmos/src/clock.js';
import type { HashScheme } from '../../../emulators/cosmos/src/partitioning/effective-partition-key.js';
import { evenIntervals, toKeyRange } from '../../../emulators/cosmos/src/partitioning/key-range.js';
import { Account } from '../../../emulators/cosmos/src/store/account.js';
import type { Container } from '../../../emulators/cosmos/src/store/container.js';
import { DEFAULT_MODEL } from '../../../emulators/cosmos/src/store/container-model.js';
import { createItem } from '../../../emulators/cosmos/src/store/item-writes.js';

const PARTITION_KEYS = {
  v1: { paths: ['/k'] },
  v2: { paths: ['/k'], version: 2 },
  multi: { paths: ['/k', '/id'], kind: 'MultiHash', version: 2 },
};

function containerWith(scheme: HashScheme, ruPerSecond: number, items = 0): Container {
  const account = new Account({ clock: systemClock, defaultModel: DEFAULT_MODEL });
  const container = account.createDatabase('db', null).createContainer({
    definition: { id: 'c', partitionKey: PARTITION_KEYS[scheme] },
    throughput: { mode: 'manual', ruPerSecond },
  });
  for (let i = 0; i < items; i++) {
    const body = { id: `i${i}`, k: `o${i}` };
    const key = container.keys.fromDocument(body);
    createItem(
      { container, partition: container.layout.owning(key.effective), key, nowMs: Date.now() },
      body,
    );
  }
  return container;
}

function replaceThroughput(container: Container, ruPerSecond: number): void {
  container.offer?.throughput.replace({ mode: 'manual', ruPerSecond }, 0);
  container.offer?.apply();
}

const ids = (container: Container) => container.partitions.map(({ id }) => id);

describe.each(['v1', 'v2', 'multi'] as const)('ranges of %s', (scheme) => {
  test.each([1, 2, 3, 9, 100])('%i of them touch from "" to "FF"', (count) => {
    const ranges = evenIntervals(count, scheme).map((interval) => toKeyRange(interval, scheme));
    expect(ranges[0]?.minInclusive).toBe('');
    expect(ranges.at(-1)?.maxExclusive).toBe('FF');
    for (let i = 1; i < ranges.length; i++) {
      expect(ranges[i]?.minInclusive).toBe(ranges[i - 1]?.maxExclusive);
      expect((ranges[i]?.minInclusive as string) < (ranges[i]?.maxExclusive as string)).toBe(true);
    }
  });

  test('nine of them share 9,000 keys evenly', () => {
    const container = containerWith(scheme, 54_000, 9000);
    expect(ids(container)).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
    for (const { items } of container.partitions) {
      expect(items.size).toBeGreaterThan(850);
      expect(items.size).toBeLessThan(1150);
    }
  });
});

describe('the number of physical partitions', () => {
  test.each([
    [400, 1],
    [6000, 1],
    [6100, 2],
    [54_000, 9],
  ])('of a new container with %i RU/s is %i', (ruPerSecond, count) => {
    expect(containerWith('v2', ruPerSecond).partitions).toHaveLength(count);
  });

  test('does not fall when throughput does, and the share of each falls', () => {
    const container = containerWith('v2', 54_000);
    replaceThroughput(container, 900);
    expect(container.partitions).toHaveLength(9);
    expect(container.partitions[0]?.budget.ruPerSecond).toBe(100);
  });
});

describe('a split', () => {
  test('follows throughput above 10,000 RU/s per partition: one half and two quarters of the keys', () => {
    const container = containerWith('v2', 12_000, 2000);
    const before = container.partitions.map(({ items }) => items.size);
    replaceThroughput(container, 30_000);
    expect(ids(container)).toEqual(['2', '3', '1']);
    expect(container.partitions.map(({ parents }) => parents)).toEqual([['0'], ['0'], []]);
    const [low, high, other] = container.partitions.map(({ items }) => items.size) as [
      number,
      number,
      number,
    ];
    expect(low + high).toBe(before[0]);
    expect(other).toBe(before[1]);
    expect(low).toBeGreaterThan(400);
    expect(high).toBeGreaterThan(400);
    for (const { budget } of container.partitions) expect(budget.ruPerSecond).toBe(10_000);
  });

  test('leaves every item findable, and the parent id stands for its children', () => {
    const container = containerWith('v2', 400, 500);
    replaceThroughput(container, 35_000);
    expect(container.partitions).toHaveLength(4);
    expect(container.itemCount).toBe(500);
    for (let i = 0; i < 500; i++) {
      const key = container.keys.of([`o${i}`]);
      expect(container.layout.owning(key.effective).find(key, `i${i}`)?.id).toBe(`i${i}`);
    }
    expect(container.layout.byRangeId('0')?.map(({ id }) => id)).toEqual(ids(container));
    expect(container.layout.byRangeId('99')).toBeNull();
  });

  test('works for keys of version 1', () => {
    const container = containerWith('v1', 400, 300);
    replaceThroughput(container, 20_000);
    const [low, high] = container.partitions.map(({ items }) => items.size) as [number, number];
    expect(low + high).toBe(300);
    expect(Math.min(low, high)).toBeGreaterThan(100);
  });
});

describe('throughput', () => {
  test('has a minimum of a hundredth of the highest ever', () => {
    const container = containerWith('v2', 54_000);
    replaceThroughput(container, 900);
    expect(() => replaceThroughput(container, 500)).toThrow(/between 600 and/);
    replaceThroughput(container, 600);
  });

  test.each([[399], [450], [0], [Number.NaN], [1_000_100], [400.5]])('refuses %d RU/s', (ruPerSecond) => {
    expect(() => containerWith('v2', ruPerSecond)).toThrow(/offer throughput specified/);
  });
});
