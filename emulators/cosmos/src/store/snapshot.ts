import { z } from 'zod';
import { CosmosError } from '../errors.js';
import { LATENCY_KINDS } from '../latency/latency-model.js';
import type { Throughput } from '../throughput/throughput.js';
import { Account } from './account.js';
import type { Container, ContainerDefinition } from './container.js';
import type { ContainerModel } from './container-model.js';
import type { Database } from './database.js';
import type { ItemDocument } from './item.js';
import { restoreItem } from './item-writes.js';

/** Everything that an account stores, as one JSON document. Counters, debt and split history are not part of it. */
const FORMAT = 'cosmos-emulator-snapshot';
const VERSION = 1;

const throughput = z.strictObject({
  mode: z.enum(['manual', 'autoscale']),
  ruPerSecond: z.number(),
  highestEverRuPerSecond: z.number(),
});

const distribution = z.strictObject({ meanMs: z.number(), coefficientOfVariation: z.number() });

const model = z.strictObject({
  throttling: z.boolean(),
  burstSeconds: z.number(),
  queryBaseRu: z.number(),
  latency: z.strictObject(Object.fromEntries(LATENCY_KINDS.map((kind) => [kind, distribution.optional()]))),
  seed: z.int(),
});

const snapshotSchema = z.strictObject({
  format: z.literal(FORMAT),
  version: z.literal(VERSION),
  databases: z.array(
    z.strictObject({
      id: z.string(),
      throughput: throughput.nullable(),
      containers: z.array(
        z.strictObject({
          definition: z.custom<ContainerDefinition>(isDefinition, 'a container definition is expected'),
          throughput: throughput.nullable(),
          physicalPartitions: z.int().positive(),
          model,
          items: z.array(z.custom<ItemDocument>(isItem, 'an item with id, _etag and _ts is expected')),
        }),
      ),
    }),
  ),
});

function isDefinition(value: unknown): boolean {
  const { id, partitionKey } = (value ?? {}) as Partial<ContainerDefinition>;
  return typeof id === 'string' && Array.isArray(partitionKey?.paths);
}

function isItem(value: unknown): boolean {
  const { id, _etag, _ts } = (value ?? {}) as Partial<ItemDocument>;
  return typeof id === 'string' && typeof _etag === 'string' && typeof _ts === 'number';
}

export type Snapshot = z.output<typeof snapshotSchema>;

export function takeSnapshot(account: Account): Snapshot {
  const nowMs = account.clock.now();
  return {
    format: FORMAT,
    version: VERSION,
    databases: [...account.databases.values()].map((database) => ({
      id: database.id,
      throughput: throughputOf(database.offer?.throughput),
      containers: [...database.containers.values()].map((container) => ({
        definition: container.definition,
        throughput: throughputOf(container.offer?.throughput),
        physicalPartitions: container.partitions.length,
        model: container.model as Snapshot['databases'][0]['containers'][0]['model'],
        items: itemsOf(container, nowMs),
      })),
    })),
  };
}

function throughputOf(source: Throughput | undefined) {
  if (source === undefined) return null;
  const { mode, ruPerSecond, highestEverRuPerSecond } = source;
  return { mode, ruPerSecond, highestEverRuPerSecond };
}

/** In order of creation, over all partitions. */
function itemsOf(container: Container, nowMs: number) {
  return container.partitions
    .flatMap(({ items }) => items.list)
    .filter(({ expiresAtMs }) => expiresAtMs > nowMs)
    .sort((a, b) => a.sequence - b.sequence)
    .map(({ document }) => document);
}

/** Throws 400 with every problem, before anything is changed. */
export function parseSnapshot(value: unknown): Snapshot {
  const result = snapshotSchema.safeParse(value);
  if (result.success) return result.data;
  const problems = result.error.issues
    .slice(0, 5)
    .map(({ path, message }) => `${path.join('.') || 'snapshot'}: ${message}`);
  throw new CosmosError('badRequest', `This is not a snapshot: ${problems.join('; ')}`);
}

/** Replaces everything that the account stores. A snapshot that doesn't fit is refused as a whole. */
export function loadSnapshot(account: Account, snapshot: Snapshot): void {
  restore(new Account(account), snapshot);
  account.clear();
  restore(account, snapshot);
}

function restore(account: Account, snapshot: Snapshot): void {
  for (const { id, throughput: shared, containers } of snapshot.databases) {
    const database = account.createDatabase(id, shared);
    if (shared !== null) restoreHighest(database.offer?.throughput, shared.highestEverRuPerSecond);
    for (const container of containers) restoreContainer(database, container);
  }
}

function restoreContainer(database: Database, stored: Snapshot['databases'][0]['containers'][0]): void {
  const container = database.createContainer({
    definition: stored.definition,
    throughput: stored.throughput,
    physicalPartitions: stored.physicalPartitions,
    model: stored.model as ContainerModel,
  });
  restoreHighest(container.offer?.throughput, stored.throughput?.highestEverRuPerSecond ?? 0);
  const nowMs = database.account.clock.now();
  for (const document of stored.items) {
    const key = container.keys.fromDocument(document);
    const partition = container.layout.owning(key.effective);
    restoreItem({ container, partition, key, nowMs }, document);
  }
}

function restoreHighest(throughputOfOwner: Throughput | undefined, highest: number): void {
  if (throughputOfOwner === undefined) return;
  throughputOfOwner.highestEverRuPerSecond = Math.max(throughputOfOwner.highestEverRuPerSecond, highest);
}
