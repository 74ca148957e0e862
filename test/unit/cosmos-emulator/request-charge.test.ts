import { describe, expect, test } from 'vitest';
import { IndexingPolicy } from '../../../emulators/cosmos/src/store/indexing-policy.js';
import {
  CHARGES,
  createCharge,
  deleteCharge,
  queryCharge,
  readCharge,
  replaceCharge,
} from '../../../emulators/cosmos/src/throughput/request-charge.js';

const KB = 1024;

/** Figures of Microsoft's articles; the formula has to stay near them. */
describe('published figures', () => {
  test('point reads of 1 KB and 100 KB', () => {
    expect(readCharge(KB)).toBe(1);
    expect(readCharge(100 * KB)).toBe(10);
    expect(readCharge(10)).toBe(1);
  });

  test('writes of 1 KB and 100 KB without indexing', () => {
    expect(createCharge(KB, 0)).toBe(5);
    expect(createCharge(100 * KB, 0)).toBe(50);
  });

  test.each([
    ['user', 2, 5.71],
    ['like', 5, 7.05],
    ['comment', 6, 8.57],
    ['post', 7, 8.76],
  ])('creating a %s with %i indexed properties', (_name, paths, published) => {
    expect(Math.abs(createCharge(KB, paths) / published - 1)).toBeLessThan(0.08);
  });

  test('a query that finds nothing', () => {
    expect(
      queryCharge(
        { documentsLoaded: 0, bytesLoaded: 0, documentsReturned: 0, bytesReturned: 0 },
        CHARGES.queryBase,
      ),
    ).toBe(2.5);
  });

  test.each([
    ['one document of 9,963 bytes', 1, 9963, 3.19],
    ['one document of 6.6 KB', 1, 6.6 * KB, 2.98],
  ])('%s', (_name, count, bytes, published) => {
    const work = {
      documentsLoaded: count,
      bytesLoaded: bytes,
      documentsReturned: count,
      bytesReturned: bytes,
    };
    expect(queryCharge(work, CHARGES.queryBase)).toBeCloseTo(published, 1);
  });

  test('a scan of 60,951 documents', () => {
    const size = 399_998_938;
    const work = {
      documentsLoaded: 60_951,
      bytesLoaded: size,
      documentsReturned: 7,
      bytesReturned: (7 * size) / 60_951,
    };
    expect(queryCharge(work, CHARGES.queryBase) / 4059.95).toBeCloseTo(1, 2);
  });
});

test('replace costs two creates, delete one', () => {
  expect(replaceCharge(KB, 3)).toBe(2 * createCharge(KB, 3));
  expect(deleteCharge(KB, 3)).toBe(createCharge(KB, 3));
});

describe('indexed paths', () => {
  const everything = new IndexingPolicy({
    includedPaths: [{ path: '/*' }],
    excludedPaths: [{ path: '/"_etag"/?' }],
  });
  const item = {
    id: '1',
    a: 1,
    nested: { b: 'x', c: null },
    list: [1, { d: 2 }],
    _ts: 1,
    _etag: 'x',
    _rid: 'r',
  };

  test('are the scalar leaves without the system properties', () => {
    expect(everything.countIndexedPaths(item)).toBe(6);
  });

  test('none with indexing off', () => {
    expect(new IndexingPolicy({ indexingMode: 'none' }).countIndexedPaths(item)).toBe(0);
  });

  test('the most specific rule decides', () => {
    const policy = new IndexingPolicy({
      includedPaths: [{ path: '/*' }, { path: '/nested/b/?' }],
      excludedPaths: [{ path: '/nested/*' }, { path: '/list/[]/d/?' }],
    });
    expect(policy.covers(['nested', 'b'])).toBe(true);
    expect(policy.covers(['nested', 'c'])).toBe(false);
    expect(policy.covers(['a'])).toBe(true);
    expect(policy.countIndexedPaths(item)).toBe(4);
  });

  test('only what is included, when everything is excluded', () => {
    const policy = new IndexingPolicy({ includedPaths: [{ path: '/a/?' }], excludedPaths: [{ path: '/*' }] });
    expect(policy.countIndexedPaths(item)).toBe(1);
    expect(policy.covers(['a', 'x'])).toBe(false);
  });
});
