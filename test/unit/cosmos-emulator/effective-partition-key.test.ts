import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  effectivePartitionKey,
  type HashScheme,
} from '../../../emulators/cosmos/src/partitioning/effective-partition-key.js';
import type { PartitionKeyValue } from '../../../emulators/cosmos/src/partitioning/partition-key.js';

/** The client's own hashing, which it does not export: bulk requests depend on both agreeing. */
const { hashPartitionKey } = (await import(
  new URL('../../../node_modules/@azure/cosmos/dist/esm/utils/hashing/hash.js', import.meta.url).href
)) as { hashPartitionKey: (key: unknown[], definition: object) => string };

const DEFINITIONS: Record<HashScheme, object> = {
  v1: { paths: ['/a'] },
  v2: { paths: ['/a'], version: 2 },
  multi: { paths: ['/a', '/b', '/c'], kind: 'MultiHash', version: 2 },
};

describe('published vectors', () => {
  test.each([
    ['o1', '2D633033DCE54EBBCBEBDEB7047C6C17'],
    ['redmond', '22E342F38A486A088463DFF7838A5963'],
    [5, '19C08621B135968252FB34B4CF66F811'],
    [true, '0E711127C5B5A8E4726AC6DD306A3E59'],
  ])('version 2 of %j', (value, expected) => {
    expect(effectivePartitionKey([value], 'v2')).toBe(expected);
  });

  test('version 1', () => {
    expect(effectivePartitionKey(['o1'], 'v1')).toBe('05C1E5398B35A408703200');
  });
});

const value = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 300 }),
  fc.string({ maxLength: 40 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.constant(undefined),
) as fc.Arbitrary<PartitionKeyValue>;

describe('the same as the client', () => {
  test.each(['v1', 'v2'] as const)('%s, any value', (scheme) => {
    fc.assert(
      fc.property(value, (key) => {
        expect(effectivePartitionKey([key], scheme)).toBe(hashPartitionKey([key], DEFINITIONS[scheme]));
      }),
      { numRuns: 2000 },
    );
  });

  test('hierarchical keys', () => {
    fc.assert(
      fc.property(fc.tuple(value, value, value), (levels) => {
        expect(effectivePartitionKey(levels, 'multi')).toBe(hashPartitionKey([...levels], DEFINITIONS.multi));
      }),
      { numRuns: 500 },
    );
  });

  test('strings of every length up to four blocks', () => {
    for (let length = 0; length < 64; length++) {
      const key = 'abcdefghij'.repeat(7).slice(0, length);
      expect(effectivePartitionKey([key], 'v2')).toBe(hashPartitionKey([key], DEFINITIONS.v2));
      expect(effectivePartitionKey([key], 'v1')).toBe(hashPartitionKey([key], DEFINITIONS.v1));
    }
  });
});
