import type { EqualityFilter } from './filters.js';

/** More combinations than this are cheaper to answer by asking every partition. */
const MAX_PARTITION_KEYS = 1000;

/**
 * The full partition keys that a query's equality filters allow; null if they leave a path open, or nothing can match.
 *
 * @param paths partition key paths, outermost first: `/ownerId`, `/a/b`, `/"odd name"`
 */
export function pinPartitionKeys(
  filters: readonly EqualityFilter[],
  paths: readonly string[],
): readonly (readonly unknown[])[] | null {
  let keys: readonly (readonly unknown[])[] = [[]];
  for (const path of paths) {
    const segments = splitPath(path);
    const filter = filters.find((candidate) => isSamePath(candidate.path, segments));
    if (filter === undefined || keys.length * filter.values.length > MAX_PARTITION_KEYS) return null;
    keys = keys.flatMap((key) => filter.values.map((value) => [...key, value]));
  }
  return paths.length === 0 || keys.length === 0 ? null : keys;
}

function splitPath(path: string): string[] {
  const segments: string[] = [];
  for (const [, quoted, plain] of path.matchAll(/\/(?:"((?:[^"\\]|\\.)*)"|([^/]*))/g)) {
    segments.push(quoted === undefined ? (plain ?? '') : quoted.replace(/\\(.)/g, '$1'));
  }
  return segments;
}

function isSamePath(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((name, index) => name === right[index]);
}
