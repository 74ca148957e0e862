import { CosmosError } from '../errors.js';
import { type PartitionKeyDefinition, PartitionKeyReader } from '../partitioning/partition-key.js';
import type { BudgetPool } from '../throughput/budget-pool.js';
import type { Offer } from '../throughput/offer.js';
import { type ContainerModel, type ModelChange, mergeLatency } from './container-model.js';
import type { Database } from './database.js';
import { DEFAULT_INDEXING_POLICY, IndexingPolicy, type IndexingPolicyDefinition } from './indexing-policy.js';
import type { ItemDocument } from './item.js';
import { PhysicalLayout } from './physical-layout.js';
import type { PhysicalPartition } from './physical-partition.js';
import { ItemRids } from './resource-id.js';
import { type UniqueKeyPolicyDefinition, UniqueKeys } from './unique-keys.js';

/** A container as clients create and read it; members that the stand-in does not know are kept and echoed. */
export interface ContainerDefinition extends Record<string, unknown> {
  id: string;
  partitionKey: PartitionKeyDefinition;
  indexingPolicy?: IndexingPolicyDefinition;
  uniqueKeyPolicy?: UniqueKeyPolicyDefinition;
  /** Seconds; -1 switches expiry on without a default. */
  defaultTtl?: number;
}

export interface ContainerOptions {
  database: Database;
  rid: string;
  definition: ContainerDefinition;
  model: ContainerModel;
  budgets: BudgetPool;
  /** Its own offer; null when it shares the database's throughput. */
  offer: Offer | null;
}

export class Container {
  readonly database: Database;
  readonly id: string;
  readonly rid: string;
  readonly self: string;
  /** `dbs/{database}/colls/{container}`, as clients sign it. */
  readonly link: string;
  /** The same for a header, which carries ASCII only. */
  readonly encodedLink: string;
  readonly keys: PartitionKeyReader;
  readonly uniqueKeys: UniqueKeys;
  readonly budgets: BudgetPool;
  readonly offer: Offer | null;
  readonly itemRids: ItemRids;
  layout: PhysicalLayout;
  definition: ContainerDefinition;
  indexingPolicy: IndexingPolicy;
  nextSequence = 1;
  /** Log sequence numbers are the container's, so that changes keep their order when partitions are split. */
  #lsn = 0;
  etag: string;
  modifiedSeconds: number;
  #model: ContainerModel;

  constructor({ database, rid, definition, model, budgets, offer }: ContainerOptions) {
    this.database = database;
    this.id = definition.id;
    this.rid = rid;
    this.itemRids = new ItemRids(rid);
    this.self = `${database.self}colls/${rid}/`;
    this.link = `${database.link}/colls/${definition.id}`;
    this.encodedLink = encodeURI(this.link);
    this.keys = new PartitionKeyReader(definition.partitionKey);
    this.uniqueKeys = new UniqueKeys(definition.uniqueKeyPolicy);
    this.definition = { ...definition, indexingPolicy: definition.indexingPolicy ?? DEFAULT_INDEXING_POLICY };
    this.indexingPolicy = new IndexingPolicy(this.definition.indexingPolicy ?? {});
    this.budgets = budgets;
    this.offer = offer;
    this.#model = model;
    budgets.burstSeconds = model.burstSeconds;
    this.layout = this.#layOut();
    this.etag = database.account.nextEtag();
    this.modifiedSeconds = database.account.nowSeconds();
  }

  get partitions(): readonly PhysicalPartition[] {
    return this.layout.partitions;
  }

  get model(): Readonly<ContainerModel> {
    return this.#model;
  }

  configure({ latency, ...change }: ModelChange): void {
    this.#model = { ...this.#model, ...change, latency: mergeLatency(this.#model.latency, latency) };
    if (change.burstSeconds !== undefined) this.budgets.burstSeconds = change.burstSeconds;
    if (change.seed !== undefined) this.layout.reseed(change.seed);
  }

  /** Starts the latency sequences again from the seed. */
  reseed(): void {
    this.layout.reseed(this.#model.seed);
  }

  /** Follows a changed throughput: more partitions when it demands them, never fewer. */
  followBudgets(): void {
    this.layout.growToBudgets();
  }

  /** Cuts an empty container anew; one with items can only be split further. */
  setPhysicalPartitions(count: number): void {
    const present = this.partitions.length;
    if (count === present) return;
    const { throughput } = this.offer ?? {};
    if (throughput === undefined) {
      throw new CosmosError(
        'badRequest',
        'physicalPartitions: the container shares the throughput of its database.',
      );
    }
    if (count < throughput.requiredPhysicalPartitions) {
      throw new CosmosError(
        'badRequest',
        `physicalPartitions: ${throughput.ruPerSecond} RU/s need at least ${throughput.requiredPhysicalPartitions}.`,
      );
    }
    if (this.itemCount === 0) {
      this.budgets.resize(throughput.ruPerSecond, count);
      this.layout = this.#layOut();
      return;
    }
    if (count < present) {
      throw new CosmosError(
        'badRequest',
        `physicalPartitions: there are ${present}, which are never merged.`,
      );
    }
    this.budgets.provision(throughput.ruPerSecond, count);
    this.followBudgets();
  }

  nextLsn(): number {
    this.#lsn += 1;
    return this.#lsn;
  }

  get storedBytes(): number {
    return this.partitions.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  get itemCount(): number {
    return this.partitions.reduce((sum, { items }) => sum + items.size, 0);
  }

  /** The partition key and the unique keys are fixed for the life of a container. */
  replace(definition: ContainerDefinition): void {
    if (definition.id !== this.id)
      throw new CosmosError('badRequest', 'The id of a container cannot be changed.');
    if (!sameJson(definition.partitionKey, this.definition.partitionKey)) {
      throw new CosmosError('badRequest', 'The partition key definition of a container cannot be changed.');
    }
    if (!sameJson(definition.uniqueKeyPolicy ?? null, this.definition.uniqueKeyPolicy ?? null)) {
      throw new CosmosError('badRequest', 'The unique key policy of a container cannot be changed.');
    }
    this.definition = { ...definition, indexingPolicy: definition.indexingPolicy ?? DEFAULT_INDEXING_POLICY };
    this.indexingPolicy = new IndexingPolicy(this.definition.indexingPolicy ?? {});
    this.etag = this.database.account.nextEtag();
    this.modifiedSeconds = this.database.account.nowSeconds();
  }

  toDocument(): Record<string, unknown> {
    return {
      ...this.definition,
      conflictResolutionPolicy: this.definition.conflictResolutionPolicy ?? {
        mode: 'LastWriterWins',
        conflictResolutionPath: '/_ts',
        conflictResolutionProcedure: '',
      },
      geospatialConfig: this.definition.geospatialConfig ?? { type: 'Geography' },
      _rid: this.rid,
      _ts: this.modifiedSeconds,
      _self: this.self,
      _etag: this.etag,
      _docs: 'docs/',
      _sprocs: 'sprocs/',
      _triggers: 'triggers/',
      _udfs: 'udfs/',
      _conflicts: 'conflicts/',
    };
  }

  /** Milliseconds since 1970 at which a document written at `_ts` expires. */
  expiryOf(document: ItemDocument): number {
    const { defaultTtl } = this.definition;
    if (defaultTtl === undefined || defaultTtl === null) return Number.POSITIVE_INFINITY;
    const ttl = document.ttl ?? defaultTtl;
    return typeof ttl === 'number' && ttl > 0 ? (document._ts + ttl) * 1000 : Number.POSITIVE_INFINITY;
  }

  #layOut(): PhysicalLayout {
    return new PhysicalLayout({
      scheme: this.keys.scheme,
      seed: this.#model.seed,
      name: this.link,
      budgets: this.budgets,
    });
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
