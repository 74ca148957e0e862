/** A source of numbers in [0, 1). */
export type Random = () => number;

/** The mulberry32 generator (Tommy Ettinger, public domain): small, fast, and the same everywhere for the same seed. */
export function mulberry32(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from `min` to `max`, both included. */
export function wholeBetween(random: Random, min: number, max: number): number {
  return min + Math.floor(random() * (max - min + 1));
}
