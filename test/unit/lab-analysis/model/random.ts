/** Seeded uniform numbers in [0, 1): a 32-bit mixing generator. */
export function uniformNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Log-normal values of the given mean and coefficient of variation. */
export function logNormal(
  uniform: () => number,
  shape: { meanMs: number; coefficientOfVariation: number },
): () => number {
  const sigma = Math.sqrt(Math.log(1 + shape.coefficientOfVariation ** 2));
  const mu = Math.log(shape.meanMs) - sigma ** 2 / 2;
  return () => {
    const normal = Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform());
    return Math.exp(mu + sigma * normal);
  };
}
