/** Numbers from 0 to 1 that depend on the seed alone (mulberry32, public domain, by Tommy Ettinger). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** One seed out of two numbers, so that every user of every seed draws differently. */
export function mixSeeds(first: number, second: number): number {
  return (Math.imul(first >>> 0, 0x9e3779b1) ^ Math.imul((second >>> 0) + 1, 0x85ebca6b)) >>> 0;
}
