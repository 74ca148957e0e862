import { randomInt } from 'node:crypto';

/** Leaves room to count on without losing precision. */
const LARGEST_FIRST = 2 ** 47;

/**
 * Ids that are unique in a table: counted on from a random number. A GUID per item, as the service has, would cost more than
 * everything else that an item needs.
 */
export function newItemIds(first: number = randomInt(LARGEST_FIRST)): () => string {
  let next = first;
  return () => {
    next += 1;
    return next.toString(36);
  };
}
