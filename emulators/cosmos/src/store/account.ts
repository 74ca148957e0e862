import type { Clock } from '../clock.js';
import { CosmosError, ownerNotFound, resourceNotFound } from '../errors.js';
import type { Offer } from '../throughput/offer.js';
import type { ThroughputRequest } from '../throughput/throughput.js';
import type { Container } from './container.js';
import type { ContainerModel } from './container-model.js';
import { Database } from './database.js';
import { ResourceIds } from './resource-id.js';

export interface AccountOptions {
  clock: Clock;
  /** For new containers. */
  defaultModel: ContainerModel;
  /** For new containers; absent: by the documented rule. */
  defaultPhysicalPartitions?: number | undefined;
}

/** A Cosmos DB account: the root of everything that is stored. */
export class Account {
  readonly clock: Clock;
  readonly ids = new ResourceIds();
  readonly databases = new Map<string, Database>();
  readonly offers = new Map<string, Offer>();
  readonly defaultModel: ContainerModel;
  readonly defaultPhysicalPartitions: number | undefined;
  #etag = 0;

  constructor({ clock, defaultModel, defaultPhysicalPartitions }: AccountOptions) {
    this.clock = clock;
    this.defaultModel = defaultModel;
    this.defaultPhysicalPartitions = defaultPhysicalPartitions;
  }

  nowSeconds(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  /** Entity tags are quoted, in headers and in bodies alike. */
  nextEtag(): string {
    this.#etag += 1;
    return `"${hex8(this.#etag)}-0000-0000-0000-${hex8(this.nowSeconds())}0000"`;
  }

  createDatabase(id: string, throughput: ThroughputRequest | null): Database {
    if (this.databases.has(id)) {
      throw new CosmosError('conflict', `Resource with specified id or name already exists: ${id}.`);
    }
    const database = new Database({ account: this, id, rid: this.ids.database(), throughput });
    this.databases.set(id, database);
    return database;
  }

  deleteDatabase(database: Database): void {
    for (const container of database.containers.values()) database.deleteContainer(container);
    if (database.offer !== null) this.removeOffer(database.offer);
    this.databases.delete(database.id);
  }

  /** Deletes everything that is stored. */
  clear(): void {
    for (const database of [...this.databases.values()]) this.deleteDatabase(database);
  }

  /** Throws 404, with the substatus for a missing owner if `asOwner`. */
  database(id: string, asOwner = false): Database {
    const database = this.databases.get(id);
    if (database !== undefined) return database;
    const description = `Database '${id}'`;
    throw asOwner ? ownerNotFound(description) : resourceNotFound(description);
  }

  container(databaseId: string, id: string, asOwner = false): Container {
    const container = this.databases.get(databaseId)?.containers.get(id);
    if (container !== undefined) return container;
    const description = `Collection '${id}' of database '${databaseId}'`;
    throw asOwner ? ownerNotFound(description) : resourceNotFound(description);
  }

  *containers(): Generator<Container> {
    for (const { containers } of this.databases.values()) yield* containers.values();
  }

  addOffer(offer: Omit<Offer, 'id' | 'etag' | 'modifiedSeconds'>): Offer {
    const id = this.ids.offer();
    const added: Offer = { ...offer, id, etag: this.nextEtag(), modifiedSeconds: this.nowSeconds() };
    this.offers.set(id, added);
    return added;
  }

  removeOffer(offer: Offer): void {
    this.offers.delete(offer.id);
  }
}

function hex8(value: number): string {
  return value.toString(16).padStart(8, '0');
}
