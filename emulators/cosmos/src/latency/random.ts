/** Numbers from 0 up to 1, the same ones for the same seed. */
export type Random = () => number;

/** Small counter-based generator with a full 32-bit avalanche; good enough for latencies and fault rates. */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 0x100000000;
  };
}

/** A seed of its own for each name, so that streams don't influence each other. */
export function deriveSeed(seed: number, name: string): number {
  let hash = seed ^ 0x811c9dc5;
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash ^ (hash >>> 15);
}

/** Standard normal values by the Box-Muller transform. */
export function normal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}
