/**
 * MurmurHash3 (Austin Appleby, public domain): the 32-bit variant for x86 and the 128-bit variant for x64, seed 0.
 * 64-bit words are kept as two unsigned 32-bit halves, because BigInt arithmetic costs ten times as much.
 */

function rotateLeft32(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits));
}

function finalMix32(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** @returns the hash as an unsigned 32-bit number */
export function murmurHash32(bytes: Uint8Array): number {
  const blocks = bytes.length & ~3;
  let h = 0;
  for (let i = 0; i < blocks; i += 4) {
    let k = byteAt(bytes, i) | (byteAt(bytes, i + 1) << 8) | (byteAt(bytes, i + 2) << 16);
    k |= byteAt(bytes, i + 3) << 24;
    h ^= Math.imul(rotateLeft32(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
    h = (Math.imul(rotateLeft32(h, 13), 5) + 0xe6546b64) | 0;
  }
  const rest = bytes.length - blocks;
  if (rest > 0) {
    let k = 0;
    for (let i = rest - 1; i >= 0; i--) k = (k << 8) | byteAt(bytes, blocks + i);
    h ^= Math.imul(rotateLeft32(Math.imul(k, 0xcc9e2d51), 15), 0x1b873593);
  }
  return finalMix32(h ^ bytes.length) >>> 0;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}

/** One 64-bit word; operations change it in place, so that hashing allocates nothing. */
interface Word {
  high: number;
  low: number;
}

function add(target: Word, high: number, low: number): void {
  const sum = (target.low >>> 0) + (low >>> 0);
  target.high = (target.high + high + (sum > 0xffffffff ? 1 : 0)) | 0;
  target.low = sum | 0;
}

function multiply(target: Word, high: number, low: number): void {
  const a0 = target.low & 0xffff;
  const a1 = target.low >>> 16;
  const b0 = low & 0xffff;
  const b1 = low >>> 16;
  const middle = a1 * b0 + Math.floor((a0 * b0) / 0x10000);
  const cross = (middle & 0xffff) + a0 * b1;
  const carry = a1 * b1 + Math.floor(middle / 0x10000) + Math.floor(cross / 0x10000);
  target.high = (carry + Math.imul(target.high, low) + Math.imul(target.low, high)) | 0;
  target.low = Math.imul(target.low, low);
}

function rotateLeft(target: Word, bits: number): void {
  const { high, low } = target;
  if (bits === 32) {
    target.high = low;
    target.low = high;
  } else if (bits < 32) {
    target.high = (high << bits) | (low >>> (32 - bits));
    target.low = (low << bits) | (high >>> (32 - bits));
  } else {
    target.high = (low << (bits - 32)) | (high >>> (64 - bits));
    target.low = (high << (bits - 32)) | (low >>> (64 - bits));
  }
}

/** `target ^= target >>> 33`, the only shift the algorithm needs. */
function foldHigh(target: Word): void {
  target.low ^= target.high >>> 1;
}

function finalMix(target: Word): void {
  foldHigh(target);
  multiply(target, 0xff51afd7, 0xed558ccd);
  foldHigh(target);
  multiply(target, 0xc4ceb9fe, 0x1a85ec53);
  foldHigh(target);
}

function mixFirst(k: Word, h: Word): void {
  multiply(k, 0x87c37b91, 0x114253d5);
  rotateLeft(k, 31);
  multiply(k, 0x4cf5ad43, 0x2745937f);
  h.high ^= k.high;
  h.low ^= k.low;
}

function mixSecond(k: Word, h: Word): void {
  multiply(k, 0x4cf5ad43, 0x2745937f);
  rotateLeft(k, 33);
  multiply(k, 0x87c37b91, 0x114253d5);
  h.high ^= k.high;
  h.low ^= k.low;
}

/** Reads up to eight little-endian bytes; missing ones count as zero. */
function load(target: Word, bytes: Uint8Array, offset: number, end: number): void {
  let low = 0;
  let high = 0;
  for (let i = Math.min(end, offset + 8) - 1; i >= offset; i--) {
    if (i >= offset + 4) high = (high << 8) | byteAt(bytes, i);
    else low = (low << 8) | byteAt(bytes, i);
  }
  target.low = low;
  target.high = high;
}

const h1: Word = { high: 0, low: 0 };
const h2: Word = { high: 0, low: 0 };
const k: Word = { high: 0, low: 0 };

/** @returns the 128-bit hash as four unsigned 32-bit words, most significant first: h1 high, h1 low, h2 high, h2 low */
export function murmurHash128(bytes: Uint8Array): [number, number, number, number] {
  const { length } = bytes;
  const blocks = length & ~15;
  h1.high = h1.low = h2.high = h2.low = 0;
  for (let i = 0; i < blocks; i += 16) {
    load(k, bytes, i, length);
    mixFirst(k, h1);
    rotateLeft(h1, 27);
    add(h1, h2.high, h2.low);
    multiply(h1, 0, 5);
    add(h1, 0, 0x52dce729);
    load(k, bytes, i + 8, length);
    mixSecond(k, h2);
    rotateLeft(h2, 31);
    add(h2, h1.high, h1.low);
    multiply(h2, 0, 5);
    add(h2, 0, 0x38495ab5);
  }
  if (length - blocks > 8) {
    load(k, bytes, blocks + 8, length);
    mixSecond(k, h2);
  }
  if (length > blocks) {
    load(k, bytes, blocks, length);
    mixFirst(k, h1);
  }
  h1.low ^= length;
  h2.low ^= length;
  add(h1, h2.high, h2.low);
  add(h2, h1.high, h1.low);
  finalMix(h1);
  finalMix(h2);
  add(h1, h2.high, h2.low);
  add(h2, h1.high, h1.low);
  return [h1.high >>> 0, h1.low >>> 0, h2.high >>> 0, h2.low >>> 0];
}
