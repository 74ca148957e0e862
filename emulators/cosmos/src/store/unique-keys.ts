import { CosmosError } from '../errors.js';
import { parsePath, valueAt } from '../partitioning/partition-key.js';
import type { Item } from './item.js';
import type { LogicalPartition } from './logical-partition.js';

export interface UniqueKeyPolicyDefinition {
  uniqueKeys?: { paths: string[] }[];
}

/** Unique keys of a container; values are unique within a logical partition. */
export class UniqueKeys {
  readonly #constraints: readonly (readonly (readonly string[])[])[];

  constructor(policy: UniqueKeyPolicyDefinition | undefined) {
    this.#constraints = (policy?.uniqueKeys ?? []).map(({ paths }) => paths.map(parsePath));
  }

  /** @returns one text per constraint, or null without constraints. A missing value counts as null, as in the service. */
  valuesOf(document: object): readonly string[] | null {
    if (this.#constraints.length === 0) return null;
    return this.#constraints.map((paths, index) =>
      JSON.stringify([index, ...paths.map((path) => valueAt(document, path) ?? null)]),
    );
  }

  /** @param self the item that is being replaced, which may keep its values */
  assertFree(values: readonly string[] | null, logical: LogicalPartition, self?: Item): void {
    for (const value of values ?? []) {
      const holder = logical.uniqueKeys.get(value);
      if (holder !== undefined && holder !== self) {
        throw new CosmosError('conflict', 'Unique index constraint violation.');
      }
    }
  }

  release(item: Item): void {
    for (const value of item.uniqueKeys ?? []) item.logicalPartition.uniqueKeys.delete(value);
  }

  take(item: Item): void {
    for (const value of item.uniqueKeys ?? []) item.logicalPartition.uniqueKeys.set(value, item);
  }
}
