import { randomInt } from 'node:crypto';

/** Leaves room to count on without losing precision. */
const LARGEST_FIRST = 2 ** 47;

/** The last two digits of an id, written out once: the digits of a large number cost as much as the rest of an item's row. */
const ENDINGS = Array.from({ length: 36 ** 2 }, (_, value) => value.toString(36).padStart(2, '0'));

/**
 * Ids that are unique in a table: counted on from a random number. A GUID per item, as the service has, would cost more than
 * everything else that an item needs.
 */
export function newItemIds(first: number = randomInt(LARGEST_FIRST)): () => string {
  let ending = first % ENDINGS.length;
  let block = Math.floor(first / ENDINGS.length);
  let beginning = block.toString(36);
  return () => {
    ending += 1;
    if (ending === ENDINGS.length) {
      ending = 0;
      block += 1;
      beginning = block.toString(36);
    }
    return beginning + ENDINGS[ending];
  };
}
