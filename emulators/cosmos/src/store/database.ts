import { CosmosError } from '../errors.js';
import { BudgetPool } from '../throughput/budget-pool.js';
import type { Offer } from '../throughput/offer.js';
import { THROUGHPUT, Throughput, type ThroughputRequest } from '../throughput/throughput.js';
import type { Account } from './account.js';
import { Container, type ContainerDefinition } from './container.js';
import type { ContainerModel } from './container-model.js';

export interface DatabaseOptions {
  account: Account;
  id: string;
  rid: string;
  /** Throughput that its containers share; null when each has its own. */
  throughput: ThroughputRequest | null;
}

export interface CreateContainerOptions {
  definition: ContainerDefinition;
  /** Absent: the database's shared throughput, or the service's minimum. */
  throughput: ThroughputRequest | null;
  /** Overrides the documented rule for the number of physical partitions. */
  physicalPartitions?: number | undefined;
  model?: Partial<ContainerModel>;
}

export class Database {
  readonly account: Account;
  readonly id: string;
  readonly rid: string;
  readonly self: string;
  readonly link: string;
  /** The same for a header, which carries ASCII only. */
  readonly encodedLink: string;
  readonly etag: string;
  readonly createdSeconds: number;
  readonly containers = new Map<string, Container>();
  readonly offer: Offer | null;
  readonly #sharedBudgets: BudgetPool | null = null;

  constructor({ account, id, rid, throughput }: DatabaseOptions) {
    this.account = account;
    this.id = id;
    this.rid = rid;
    this.self = `dbs/${rid}/`;
    this.link = `dbs/${id}`;
    this.encodedLink = encodeURI(this.link);
    this.etag = account.nextEtag();
    this.createdSeconds = account.nowSeconds();
    if (throughput === null) {
      this.offer = null;
    } else {
      const shared = new Throughput(throughput);
      // Shared throughput starts with a partition per 10,000 RU/s, manual or not.
      const budgets = new BudgetPool(shared.ruPerSecond, shared.requiredPhysicalPartitions);
      this.#sharedBudgets = budgets;
      this.offer = account.addOffer({
        resource: this.self,
        resourceRid: rid,
        throughput: shared,
        storedBytes: () => sum(this.containers.values(), ({ storedBytes }) => storedBytes),
        apply: () => {
          budgets.provision(shared.ruPerSecond, shared.requiredPhysicalPartitions);
          for (const container of this.containers.values())
            if (container.offer === null) container.followBudgets();
        },
      });
    }
  }

  createContainer({ definition, throughput, physicalPartitions, model }: CreateContainerOptions): Container {
    if (this.containers.has(definition.id)) {
      throw new CosmosError(
        'conflict',
        `Resource with specified id or name already exists: ${definition.id}.`,
      );
    }
    const rid = this.account.ids.container(this.rid);
    const settings = { ...this.account.defaultModel, ...model };
    const container =
      throughput === null && this.#sharedBudgets !== null
        ? this.#shared(definition, rid, settings, this.#sharedBudgets)
        : this.#dedicated({
            definition,
            rid,
            settings,
            throughput: throughput ?? { mode: 'manual', ruPerSecond: THROUGHPUT.minimumRuPerSecond },
            physicalPartitions: physicalPartitions ?? this.account.defaultPhysicalPartitions,
          });
    this.containers.set(container.id, container);
    return container;
  }

  #shared(
    definition: ContainerDefinition,
    rid: string,
    model: ContainerModel,
    budgets: BudgetPool,
  ): Container {
    return new Container({ database: this, rid, definition, model, budgets, offer: null });
  }

  #dedicated(options: {
    definition: ContainerDefinition;
    rid: string;
    settings: ContainerModel;
    throughput: ThroughputRequest;
    physicalPartitions: number | undefined;
  }): Container {
    const { definition, rid, settings, physicalPartitions } = options;
    const throughput = new Throughput(options.throughput);
    const count = physicalPartitions ?? throughput.initialPhysicalPartitions;
    const budgets = new BudgetPool(throughput.ruPerSecond, count);
    const offer = this.account.addOffer({
      resource: `${this.self}colls/${rid}/`,
      resourceRid: rid,
      throughput,
      storedBytes: () => container.storedBytes,
      apply: () => {
        budgets.provision(throughput.ruPerSecond, throughput.requiredPhysicalPartitions);
        container.followBudgets();
      },
    });
    const container = new Container({ database: this, rid, definition, model: settings, budgets, offer });
    return container;
  }

  deleteContainer(container: Container): void {
    this.containers.delete(container.id);
    if (container.offer !== null) this.account.removeOffer(container.offer);
  }

  toDocument(): Record<string, unknown> {
    return {
      id: this.id,
      _rid: this.rid,
      _self: this.self,
      _etag: this.etag,
      _colls: 'colls/',
      _users: 'users/',
      _ts: this.createdSeconds,
    };
  }
}

function sum<T>(values: Iterable<T>, of: (value: T) => number): number {
  let total = 0;
  for (const value of values) total += of(value);
  return total;
}
