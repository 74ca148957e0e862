import { describe, expect, it } from 'vitest';
import { newItemIds } from '../../../emulators/app-insights/src/ingestion/item-ids.js';

const take = (count: number, first?: number) => {
  const next = newItemIds(first);
  return Array.from({ length: count }, () => next());
};

describe('item ids', () => {
  it('are unique, and the same from the same beginning', () => {
    const ids = take(10_000, 0);
    expect(new Set(ids).size).toBe(10_000);
    expect(take(10_000, 0)).toEqual(ids);
  });

  it.each([0, 35, 1294, 1295, 1296, 2 ** 47 - 5])('are the numbers after %i, in base 36', (first) => {
    const numbers = take(2600, first).map((id) => Number.parseInt(id, 36));
    expect(numbers).toEqual(Array.from({ length: 2600 }, (_, i) => first + 1 + i));
  });

  it('begin elsewhere in every process', () => {
    expect(take(1)).not.toEqual(take(1));
  });
});
