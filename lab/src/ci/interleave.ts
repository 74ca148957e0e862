import { seededRandom } from '../seed/random.js';

export type Side = 'target' | 'against';

/**
 * The order of the loads of each round. Every second round turns the order of the one before, so that a machine that
 * grows slower or faster meanwhile does so for both; the seed says which side begins each two rounds.
 */
export function interleavedOrder(rounds: number, seed: number): [Side, Side][] {
  const random = seededRandom(seed);
  const order: [Side, Side][] = [];
  while (order.length < rounds) {
    const first: [Side, Side] = random() < 0.5 ? ['target', 'against'] : ['against', 'target'];
    order.push(first, [first[1], first[0]]);
  }
  return order.slice(0, rounds);
}
