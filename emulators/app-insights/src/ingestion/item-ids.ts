import { randomUUID } from 'node:crypto';

/**
 * Item ids in the shape of the service's GUIDs: a random beginning per process, then a count. A random GUID per item would cost
 * more than everything else an item needs.
 */
export function newItemIds(prefix: string = randomUUID().slice(0, 24)): () => string {
  let count = 0;
  return () => {
    count += 1;
    return prefix + count.toString(16).padStart(12, '0');
  };
}
