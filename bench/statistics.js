/**
 * The middle value; of an even number the mean of the two in the middle.
 * @param {readonly number[]} values
 */
export function median(values) {
  if (values.length === 0) throw new RangeError('The median of nothing');
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = Number(sorted[middle]);
  return sorted.length % 2 === 1 ? upper : (Number(sorted[middle - 1]) + upper) / 2;
}

/**
 * How A compares with B when both were measured in turns: `pairs` holds A/B of each round, whose median is robust against a
 * round that something else on the machine disturbed, and drift cancels out in it. `best` compares the best round of each, as
 * everything else on a machine only makes a program slower.
 * @param {readonly number[]} a
 * @param {readonly number[]} b of the same rounds
 * @param {'lower' | 'higher'} better which values are good
 * @returns {{ median: number, best: number, pairs: number[] }}
 */
export function compare(a, b, better) {
  if (a.length !== b.length || a.length === 0) throw new RangeError(`${a.length} rounds against ${b.length}`);
  const pairs = a.map((value, round) => value / Number(b[round]));
  return { median: median(pairs), best: best(a, better) / best(b, better), pairs };
}

/**
 * @param {readonly number[]} values
 * @param {'lower' | 'higher'} better
 */
export function best(values, better) {
  return better === 'lower' ? Math.min(...values) : Math.max(...values);
}
