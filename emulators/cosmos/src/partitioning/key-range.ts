import { encodeNumber, type HashScheme } from './effective-partition-key.js';

/** An interval of the hash space; bounds are kept as numbers, so that ranges can be halved exactly. */
export interface HashInterval {
  readonly low: bigint;
  readonly high: bigint;
}

/** Effective partition keys from `minInclusive` up to `maxExclusive`. */
export interface KeyRange {
  readonly minInclusive: string;
  readonly maxExclusive: string;
}

/** Version 2 hashes have 126 bits, version 1 hashes 32. */
function sizeOf(scheme: HashScheme): bigint {
  return scheme === 'v1' ? 1n << 32n : 1n << 126n;
}

export function evenIntervals(count: number, scheme: HashScheme): HashInterval[] {
  const size = sizeOf(scheme);
  const bound = (index: number) => (size * BigInt(index)) / BigInt(count);
  return Array.from({ length: count }, (_, index) => ({ low: bound(index), high: bound(index + 1) }));
}

export function halves(interval: HashInterval): [HashInterval, HashInterval] {
  const middle = (interval.low + interval.high) / 2n;
  return [
    { low: interval.low, high: middle },
    { low: middle, high: interval.high },
  ];
}

/** The client demands that the first range starts at `""`, the last ends at `"FF"`, and neighbours touch. */
export function toKeyRange(interval: HashInterval, scheme: HashScheme): KeyRange {
  return {
    minInclusive: interval.low === 0n ? '' : boundText(interval.low, scheme),
    maxExclusive: interval.high === sizeOf(scheme) ? 'FF' : boundText(interval.high, scheme),
  };
}

function boundText(bound: bigint, scheme: HashScheme): string {
  if (scheme === 'v1') return encodeNumber(Number(bound));
  // One less than the round number, as in the service: bounds end in F.
  return (bound - 1n).toString(16).toUpperCase().padStart(32, '0');
}

export function overlaps(a: KeyRange, b: KeyRange): boolean {
  return a.minInclusive < b.maxExclusive && b.minInclusive < a.maxExclusive;
}

export function contains(range: KeyRange, effectivePartitionKey: string): boolean {
  return range.minInclusive <= effectivePartitionKey && effectivePartitionKey < range.maxExclusive;
}
