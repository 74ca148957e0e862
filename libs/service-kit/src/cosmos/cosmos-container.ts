import type { Container, CosmosClient, FeedOptions, SqlQuerySpec } from '@azure/cosmos';
import type { ConfigOf } from '../config/setting.js';
import { Recovery } from '../recovery.js';
import type { Runtime } from '../service.js';
import { recordAttempts } from './attempt-recorder.js';
import { cosmosError, isUnreachable } from './cosmos-error.js';
import { createCosmosClient } from './create-client.js';
import type { CosmosSettings } from './settings.js';

/** How often an idle service asks whether its container is still there. */
const PROBE_EVERY_MS = 15_000;

/** One container of the account, and the readiness that hangs on it. */
export class CosmosContainer {
  readonly #id: string;
  readonly #client: CosmosClient;
  readonly #container: Container;
  readonly #recovery: Recovery;
  #probeTimer: NodeJS.Timeout | undefined;
  #answered = false;

  /** @param options.id container id inside COSMOS_DATABASE */
  constructor(options: {
    id: string;
    config: ConfigOf<CosmosSettings>;
    runtime: Pick<Runtime, 'health' | 'stats' | 'log'>;
  }) {
    const { id, config, runtime } = options;
    const check = runtime.health.check('cosmos', `connecting to ${config.cosmosEndpoint}`);
    this.#id = id;
    const observe = ({ failure }: { failure?: unknown }) => {
      if (failure === undefined) this.#answered = true;
      else if (isUnreachable(failure)) this.#recovery.lost(cosmosError(failure, id));
    };
    this.#client = createCosmosClient(config, recordAttempts(runtime.stats, observe));
    this.#container = this.#client.database(config.cosmosDatabase).container(id);
    this.#recovery = new Recovery({
      attempt: () => this.#probe(),
      onReady() {
        check.pass();
        runtime.log.info({ container: id }, 'Cosmos DB is reachable');
      },
      onFailure(error) {
        const reason = error instanceof Error ? error.message : String(error);
        check.fail(reason);
        runtime.log.debug({ container: id, reason }, 'Cosmos DB is not usable');
      },
    });
  }

  /** Connects in the background; traffic shows most losses, a slow probe the rest. */
  start(): void {
    this.#recovery.start();
    this.#probeTimer = setInterval(() => {
      const idle = !this.#answered;
      this.#answered = false;
      if (idle && this.#recovery.ready) this.#probe().catch((error) => this.#recovery.lost(error));
    }, PROBE_EVERY_MS);
    this.#probeTimer.unref();
  }

  stop(): void {
    this.#recovery.stop();
    clearInterval(this.#probeTimer);
    this.#client.dispose();
  }

  /**
   * All documents of a query.
   * @param options taken as a fresh object each time: the SDK writes its page size into the one it is given
   * @throws {ServiceError} a COSMOS_* row, or CLIENT_LEFT when `signal` was aborted
   */
  async query<T>(query: SqlQuerySpec, options: FeedOptions, signal: AbortSignal): Promise<T[]> {
    try {
      const { resources } = await this.#container.items
        .query<T>(query, { ...options, abortSignal: signal })
        .fetchAll();
      return resources;
    } catch (error) {
      throw cosmosError(error, this.#id);
    }
  }

  /**
   * One document by its id and partition key; undefined when there is none.
   * @throws {ServiceError} a COSMOS_* row, or CLIENT_LEFT when `signal` was aborted
   */
  async read<T extends object>(
    key: { id: string; partitionKey: string },
    signal: AbortSignal,
  ): Promise<T | undefined> {
    try {
      const { resource } = await this.#container
        .item(key.id, key.partitionKey)
        .read<T>({ abortSignal: signal });
      return resource;
    } catch (error) {
      throw cosmosError(error, this.#id);
    }
  }

  async #probe(): Promise<void> {
    try {
      await this.#container.read();
    } catch (error) {
      throw cosmosError(error, this.#id);
    }
  }
}
