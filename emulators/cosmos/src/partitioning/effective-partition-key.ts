import { murmurHash32, murmurHash128 } from './murmur-hash.js';
import type { PartitionKeyValue } from './partition-key.js';

/**
 * Effective partition keys: the upper-case hexadecimal strings by which Azure Cosmos DB assigns items to partition
 * key ranges. The client computes the same strings for bulk requests, so both sides have to agree to the last digit.
 */

/** How a container hashes: `version` absent or 1, `version: 2`, or `kind: 'MultiHash'` (hierarchical). */
export type HashScheme = 'v1' | 'v2' | 'multi';

const TYPE_UNDEFINED = 0x00;
const TYPE_NULL = 0x01;
const TYPE_FALSE = 0x02;
const TYPE_TRUE = 0x03;
const TYPE_NUMBER = 0x05;
const TYPE_STRING = 0x08;
/** Version 1 looks at the first 100 characters of a string only. */
const V1_STRING_CHARACTERS = 100;

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).toUpperCase().padStart(2, '0'));
let scratch = Buffer.alloc(512);

export function effectivePartitionKey(values: readonly PartitionKeyValue[], scheme: HashScheme): string {
  if (scheme === 'v1') return hashVersion1(values[0]);
  if (scheme === 'v2') return hashVersion2(values[0]);
  let key = '';
  for (const value of values) key += hashVersion2(value);
  return key;
}

/** Writes the typed bytes of a value to the scratch buffer. @returns their number */
function writeTyped(value: PartitionKeyValue, stringEnd: number): number {
  switch (typeof value) {
    case 'string': {
      const needed = value.length * 3 + 2;
      if (scratch.length < needed) scratch = Buffer.alloc(needed);
      scratch[0] = TYPE_STRING;
      const written = scratch.write(value, 1, 'utf8');
      scratch[written + 1] = stringEnd;
      return written + 2;
    }
    case 'number':
      scratch[0] = TYPE_NUMBER;
      scratch.writeDoubleLE(value, 1);
      return 9;
    case 'boolean':
      scratch[0] = value ? TYPE_TRUE : TYPE_FALSE;
      return 1;
    default:
      scratch[0] = value === null ? TYPE_NULL : TYPE_UNDEFINED;
      return 1;
  }
}

/** The 128-bit hash, little-endian words read backwards, its first byte masked to six bits. */
function hashVersion2(value: PartitionKeyValue): string {
  const length = writeTyped(value, 0xff);
  const [h1High, h1Low, h2High, h2Low] = murmurHash128(scratch.subarray(0, length));
  return hex32(h2High & 0x3fffffff) + hex32(h2Low) + hex32(h1High) + hex32(h1Low);
}

function hex32(word: number): string {
  return (
    (HEX[word >>> 24] as string) + HEX[(word >>> 16) & 0xff] + HEX[(word >>> 8) & 0xff] + HEX[word & 0xff]
  );
}

/** The 32-bit hash as an order-preserving number, followed by the order-preserving value itself. */
function hashVersion1(value: PartitionKeyValue): string {
  const shortened = typeof value === 'string' ? value.slice(0, V1_STRING_CHARACTERS) : value;
  const length = writeTyped(shortened, 0x00);
  return encodeNumber(murmurHash32(scratch.subarray(0, length))) + encodeVersion1(shortened);
}

function encodeVersion1(value: PartitionKeyValue): string {
  if (typeof value === 'number') return encodeNumber(value);
  if (typeof value === 'boolean') return HEX[value ? TYPE_TRUE : TYPE_FALSE] as string;
  if (typeof value !== 'string') return HEX[value === null ? TYPE_NULL : TYPE_UNDEFINED] as string;
  let text = HEX[TYPE_STRING] as string;
  // Every byte is raised by one, so that the terminating zero sorts before all of them.
  for (const byte of Buffer.from(value, 'utf8')) text += HEX[byte < 0xff ? byte + 1 : byte];
  return text + HEX[0];
}

const SIGN_BIT = 1n << 63n;
const numberBits = new DataView(new ArrayBuffer(8));

/**
 * A double as bytes that sort like the number: sign folded away, eight bits, then groups of seven bits whose lowest
 * bit says that another group follows. Also gives the bounds of version 1 ranges.
 */
export function encodeNumber(value: number): string {
  numberBits.setFloat64(0, value);
  const raw = numberBits.getBigUint64(0);
  const ordered = raw < SIGN_BIT ? raw ^ SIGN_BIT : BigInt.asUintN(64, -raw);
  let text = (HEX[TYPE_NUMBER] as string) + HEX[Number(ordered >> 56n)];
  let rest = BigInt.asUintN(64, ordered << 8n);
  let pending = Number(rest >> 56n) | 1;
  rest = BigInt.asUintN(64, rest << 7n);
  while (rest !== 0n) {
    text += HEX[pending];
    pending = Number(rest >> 56n) | 1;
    rest = BigInt.asUintN(64, rest << 7n);
  }
  const last = pending & 0xfe;
  return last === 0 ? text : text + HEX[last];
}
