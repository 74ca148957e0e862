import type { Item } from './item.js';

/** Items in order of creation. Most additions are appends. */
export class SequencedItems {
  readonly list: Item[] = [];

  get size(): number {
    return this.list.length;
  }

  add(item: Item): void {
    const last = this.list.at(-1);
    if (last === undefined || last.sequence < item.sequence) this.list.push(item);
    else this.list.splice(this.firstAtOrAfter(item.sequence), 0, item);
  }

  remove(item: Item): void {
    const index = this.firstAtOrAfter(item.sequence);
    if (this.list[index] === item) this.list.splice(index, 1);
  }

  /** @returns the index of the first item whose sequence is at least the given one */
  firstAtOrAfter(sequence: number): number {
    return firstAtOrAfter(this.list, sequence);
  }
}

export function firstAtOrAfter(list: readonly Item[], sequence: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] as Item).sequence < sequence) low = middle + 1;
    else high = middle;
  }
  return low;
}
