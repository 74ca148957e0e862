import { CosmosError, itemNotFound } from '../errors.js';
import { assertNesting } from '../http/nesting.js';
import type { PartitionKey } from '../partitioning/partition-key.js';
import type { Container } from './container.js';
import type { Item, ItemDocument } from './item.js';
import type { PhysicalPartition } from './physical-partition.js';

/** Published limits: an item has at most 2 MB of JSON, its id at most 1,023 characters. */
const ITEM_BYTES_LIMIT = 2 * 1024 * 1024;
const ITEM_ID_CHARACTERS = 1023;

/** Where an item operation happens. */
export interface ItemPlace {
  container: Container;
  partition: PhysicalPartition;
  key: PartitionKey;
  nowMs: number;
}

/** Entity tag conditions of a request: `If-Match` for changes, `If-None-Match` for reads. */
export interface Precondition {
  ifMatch?: string | undefined;
  ifNoneMatch?: string | undefined;
}

export type JsonObject = Record<string, unknown>;

/** @returns the item unless it is missing or expired; an expired one is removed on the way */
export function findItem({ container, partition, key, nowMs }: ItemPlace, id: string): Item | undefined {
  const item = partition.find(key, id);
  if (item === undefined || item.expiresAtMs > nowMs) return item;
  removeStored(container, partition, item);
  return undefined;
}

export function requireItem(place: ItemPlace, id: string): Item {
  const item = findItem(place, id);
  if (item === undefined) throw itemNotFound();
  return item;
}

export function assertPrecondition(item: Item, { ifMatch }: Precondition): void {
  if (ifMatch === undefined || ifMatch === '*' || ifMatch === item.document._etag) return;
  throw new CosmosError(
    'preconditionFailed',
    'Operation cannot be performed because one of the specified precondition is not met.',
  );
}

export function createItem(place: ItemPlace, body: JsonObject): Item {
  const id = requireId(body);
  if (findItem(place, id) !== undefined) {
    throw new CosmosError('conflict', 'Entity with the specified id already exists in the system.');
  }
  return insertItem(place, id, body);
}

/** @returns the item and whether it is new */
export function upsertItem(
  place: ItemPlace,
  body: JsonObject,
  when: Precondition,
): { item: Item; created: boolean } {
  const id = requireId(body);
  const existing = findItem(place, id);
  if (existing === undefined) return { item: insertItem(place, id, body), created: true };
  assertPrecondition(existing, when);
  return { item: changeItem(place, existing, body), created: false };
}

export function replaceItem(place: ItemPlace, id: string, body: JsonObject, when: Precondition): Item {
  if (requireId(body) !== id) {
    throw new CosmosError(
      'badRequest',
      `The id in the body (${JSON.stringify(body.id)}) has to be ${JSON.stringify(id)}.`,
    );
  }
  const item = requireItem(place, id);
  assertPrecondition(item, when);
  return changeItem(place, item, body);
}

export function deleteItem(place: ItemPlace, id: string, when: Precondition): Item {
  const item = requireItem(place, id);
  assertPrecondition(item, when);
  removeStored(place.container, place.partition, item);
  place.partition.lsn = place.container.nextLsn();
  return item;
}

function removeStored(container: Container, partition: PhysicalPartition, item: Item): void {
  container.uniqueKeys.release(item);
  partition.remove(item);
}

type Version = Pick<ItemDocument, '_etag' | '_ts'>;

function insertItem(place: ItemPlace, id: string, body: JsonObject, version?: Version): Item {
  const { container, partition, key } = place;
  container.keys.assertMatches(body, key);
  const sequence = container.nextSequence;
  const rid = container.itemRids.of(sequence);
  const stored = prepare(place, body, { rid, self: `${container.self}docs/${rid}/`, version });
  const logicalPartition = partition.logicalPartitionFor(key);
  const uniqueKeys = container.uniqueKeys.valuesOf(body);
  container.uniqueKeys.assertFree(uniqueKeys, logicalPartition);
  container.nextSequence += 1;
  partition.lsn = container.nextLsn();
  const item: Item = { ...stored, id, sequence, rid, logicalPartition, uniqueKeys, lsn: partition.lsn };
  partition.insert(item);
  container.uniqueKeys.take(item);
  return item;
}

/** Puts an item back as a snapshot has it: with its entity tag and its time. */
export function restoreItem(place: ItemPlace, document: ItemDocument): Item {
  const { _etag, _ts } = document;
  return insertItem(place, document.id, document, { _etag, _ts });
}

/** Replaces the content of a stored item. */
export function changeItem(place: ItemPlace, item: Item, body: JsonObject): Item {
  const { container, partition, key } = place;
  container.keys.assertMatches(body, key);
  const stored = prepare(place, body, { rid: item.rid, self: item.document._self });
  const uniqueKeys = container.uniqueKeys.valuesOf(body);
  container.uniqueKeys.assertFree(uniqueKeys, item.logicalPartition, item);
  container.uniqueKeys.release(item);
  partition.update(item, () => {
    Object.assign(item, stored);
    item.uniqueKeys = uniqueKeys;
    partition.lsn = container.nextLsn();
    item.lsn = partition.lsn;
  });
  container.uniqueKeys.take(item);
  return item;
}

interface Identity {
  rid: string;
  self: string;
  /** Absent: a new one. */
  version?: Version | undefined;
}

type Stored = Pick<Item, 'document' | 'text' | 'bytes' | 'indexedPaths' | 'expiresAtMs'>;

/** Adds the system properties to a parsed body, which thereby becomes the stored document. */
function prepare({ container }: ItemPlace, body: JsonObject, { rid, self, version }: Identity): Stored {
  const { account } = container.database;
  assertTimeToLive(body.ttl, container);
  assertNesting(body, 'The item');
  const document = body as ItemDocument;
  document._rid = rid;
  document._self = self;
  document._etag = version?._etag ?? account.nextEtag();
  document._attachments = 'attachments/';
  document._ts = version?._ts ?? account.nowSeconds();
  const text = JSON.stringify(document);
  const bytes = Buffer.byteLength(text);
  if (bytes > ITEM_BYTES_LIMIT) {
    throw new CosmosError(
      'requestEntityTooLarge',
      `Request size is too large: the item has ${bytes} bytes, allowed are ${ITEM_BYTES_LIMIT}.`,
    );
  }
  return {
    document,
    text,
    bytes,
    indexedPaths: container.indexingPolicy.countIndexedPaths(document),
    expiresAtMs: container.expiryOf(document),
  };
}

/** `ttl` means something only where the container expires items. */
function assertTimeToLive(ttl: unknown, container: Container): void {
  if (ttl === undefined || ttl === null || container.definition.defaultTtl === undefined) return;
  if (Number.isInteger(ttl) && (ttl === -1 || (ttl as number) > 0) && (ttl as number) < 2 ** 31) return;
  throw new CosmosError(
    'badRequest',
    `The input ttl '${JSON.stringify(ttl)}' is invalid. Ensure to provide a nonzero positive integer, or -1.`,
  );
}

function requireId(body: JsonObject): string {
  const { id } = body;
  if (id === undefined || id === null || id === '') {
    const message = "The input content is invalid because the required properties - 'id; ' - are missing";
    throw new CosmosError('badRequest', message);
  }
  if (typeof id !== 'string') {
    throw new CosmosError('badRequest', `The id of an item has to be a string, not ${JSON.stringify(id)}.`);
  }
  if (id.length > ITEM_ID_CHARACTERS || /[/\\#]|\p{Surrogate}/u.test(id)) {
    throw new CosmosError(
      'badRequest',
      `The item id ${JSON.stringify(id.slice(0, 80))} is invalid: at most ${ITEM_ID_CHARACTERS} characters without / \\ #.`,
    );
  }
  return id;
}
