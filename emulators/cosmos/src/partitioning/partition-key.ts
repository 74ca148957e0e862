import { CosmosError } from '../errors.js';
import { effectivePartitionKey, type HashScheme } from './effective-partition-key.js';

/** A component of a partition key; `undefined` stands for a path that the item does not have. */
export type PartitionKeyValue = string | number | boolean | null | undefined;

/** As the client sends it; it is echoed exactly, because the client hashes by its `version`. */
export interface PartitionKeyDefinition {
  paths: string[];
  kind?: string;
  version?: number;
  systemKey?: boolean;
}

/** A complete key of one container. */
export interface PartitionKey {
  readonly values: readonly PartitionKeyValue[];
  /** Canonical text: equal keys have equal text. */
  readonly text: string;
  readonly effective: string;
}

const MISMATCH =
  "Partition key provided either doesn't correspond to definition in the collection or doesn't match " +
  'partition key field values specified in the document.';

/** Reads and hashes the keys of one container. */
export class PartitionKeyReader {
  readonly paths: readonly (readonly string[])[];
  readonly scheme: HashScheme;

  constructor(definition: PartitionKeyDefinition) {
    this.paths = definition.paths.map(parsePath);
    if (definition.kind === 'MultiHash') this.scheme = 'multi';
    else this.scheme = definition.version === 2 ? 'v2' : 'v1';
  }

  of(values: readonly PartitionKeyValue[]): PartitionKey {
    return { values, text: canonicalText(values), effective: effectivePartitionKey(values, this.scheme) };
  }

  /** From `x-ms-documentdb-partitionkey` or a bulk operation: JSON, one component per level. */
  fromHeader(header: string): PartitionKey {
    const values = this.componentsOf(header);
    if (values.length !== this.paths.length) throw new CosmosError('partitionKeyMismatch', MISMATCH);
    return this.of(values);
  }

  /** Like {@link fromHeader}, but the last levels of a hierarchical key may be missing. */
  componentsOf(header: string): PartitionKeyValue[] {
    let parsed: unknown;
    try {
      parsed = JSON.parse(header);
    } catch (cause) {
      const message = `Partition key ${header} is not valid JSON: an array with one value per path is expected.`;
      throw new CosmosError('badRequest', message, { cause });
    }
    if (!Array.isArray(parsed)) {
      throw new CosmosError('badRequest', `Partition key ${header} has to be a JSON array.`);
    }
    // Containers without a partition key of their own are addressed by an empty array.
    if (parsed.length === 0) return this.paths.map(() => undefined);
    if (parsed.length > this.paths.length) throw new CosmosError('partitionKeyMismatch', MISMATCH);
    return parsed.map(componentOf);
  }

  fromDocument(document: object): PartitionKey {
    return this.of(this.paths.map((path) => componentOf(valueAt(document, path))));
  }

  /** Throws 400/1001 when a document does not carry the key it was sent with. */
  assertMatches(document: object, key: PartitionKey): void {
    for (let level = 0; level < this.paths.length; level++) {
      const path = this.paths[level] as readonly string[];
      if (componentOf(valueAt(document, path)) !== key.values[level]) {
        const message =
          "PartitionKey extracted from document doesn't match the one specified in the header. Learn more: " +
          'https://aka.ms/CosmosDB/sql/errors/wrong-pk-value';
        throw new CosmosError('partitionKeyMismatch', message);
      }
    }
  }
}

function componentOf(value: unknown): PartitionKeyValue {
  if (
    value === null ||
    typeof value === 'string' ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  ) {
    return value;
  }
  if (value === undefined || (typeof value === 'object' && Object.keys(value).length === 0)) return undefined;
  throw new CosmosError(
    'badRequest',
    `A partition key component has to be a string, number, boolean or null, not ${JSON.stringify(value)}.`,
  );
}

function canonicalText(values: readonly PartitionKeyValue[]): string {
  const [first] = values;
  if (values.length === 1 && typeof first === 'string') return `s${first}`;
  return JSON.stringify(values.map((value) => (value === undefined ? {} : value)));
}

export function valueAt(document: object, path: readonly string[]): unknown {
  let value: unknown = document;
  for (const part of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (!Object.hasOwn(value, part)) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** `/address/"zip code"` is `['address', 'zip code']`. */
export function parsePath(path: string): string[] {
  const parts: string[] = [];
  const pattern = /\/(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^/"']+))/gy;
  let end = 0;
  for (let match = pattern.exec(path); match !== null; match = pattern.exec(path)) {
    parts.push(match[1] ?? match[2] ?? (match[3] as string).trim());
    end = pattern.lastIndex;
  }
  if (parts.length === 0 || end !== path.length) {
    throw new CosmosError('badRequest', `Path ${JSON.stringify(path)} is invalid: it has to look like /a/b.`);
  }
  return parts;
}
