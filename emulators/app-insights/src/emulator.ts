import type { EmulatorOptions } from './config.js';
import { Ingestion } from './ingestion/ingestion.js';
import { newItemIds } from './ingestion/item-ids.js';
import { RowMapper } from './ingestion/rows.js';
import { createKqlEngine, datetimeFromUnixMs, type KqlEngine, type QueryLimits } from './kql/index.js';
import { CumulativeSeries } from './otlp/cumulative-series.js';
import { type Application, QueryApi } from './query/query-api.js';
import { TABLES } from './schema.js';
import { Recordings } from './store/recordings.js';
import { SegmentLog } from './store/segment-log.js';
import { TelemetryStore } from './store/store.js';
import { type LoadReport, loadInto } from './store/telemetry-folder.js';

/** Application ids that mean what is being received now; the resource's own key is one as well. */
const LIVE = 'live';

/** Everything behind the routes: the store with what goes in and out. */
export class Emulator {
  readonly options: EmulatorOptions;
  readonly store: TelemetryStore;
  readonly ingestion: Ingestion;
  readonly recordings: Recordings;
  readonly queries: QueryApi;
  readonly series = new CumulativeSeries();
  readonly #log: SegmentLog | null;
  #engine: KqlEngine | undefined;
  /** What was read back from the data folder. */
  readonly loaded: LoadReport | null;

  private constructor(
    options: EmulatorOptions,
    persisted: { store: TelemetryStore; log: SegmentLog | null; loaded: LoadReport | null },
  ) {
    const { limits, instrumentationKey: appId, appName } = options;
    this.options = options;
    this.store = persisted.store;
    this.#log = persisted.log;
    this.loaded = persisted.loaded;
    const mapper = new RowMapper({ limits, identity: { appId, appName }, newItemId: newItemIds() });
    this.ingestion = new Ingestion({ store: this.store, mapper, limits, appId });
    if (this.#log !== null) this.ingestion.attach(this.#log);
    this.recordings = new Recordings({
      directory: options.runsDirectory ?? null,
      ingestion: this.ingestion,
      now: Date.now,
    });
    this.queries = new QueryApi({
      engine: () => this.engine,
      limits: definedLimits(options.query),
      applicationOf: (id) => this.#applicationOf(id),
    });
  }

  /** Made when it is first needed: one that only takes telemetry in never loads the language service. */
  get engine(): KqlEngine {
    this.#engine ??= createKqlEngine(TABLES);
    return this.#engine;
  }

  static async open(options: EmulatorOptions): Promise<Emulator> {
    const store = new TelemetryStore(options.retain);
    const { dataDirectory: directory, dataBytes, instrumentationKey, appName } = options;
    if (directory === undefined) return new Emulator(options, { store, log: null, loaded: null });
    const log = await SegmentLog.open({ directory, maxBytes: dataBytes });
    const identity = { appId: instrumentationKey, appName };
    const loaded = await loadInto(store, directory, { identity, newItemId: newItemIds() });
    return new Emulator(options, { store, log, loaded });
  }

  stats() {
    return {
      ingestion: this.ingestion.counts,
      rows: this.store.counts(),
      retainedBytes: this.store.bytes,
      log: this.#log?.stats ?? null,
      loaded: this.loaded,
      recording: this.recordings.current,
      queries: { ...this.queries.counts },
    };
  }

  /** Resolves once everything accepted is written to every open log. */
  flush(): Promise<void> {
    return this.ingestion.flush();
  }

  async close(): Promise<void> {
    await this.recordings.stopCurrent();
    await this.#log?.close();
  }

  async #applicationOf(id: string): Promise<Application | null> {
    const { sources } = this.store;
    const recording = this.recordings.current;
    const hurry = recording === null ? {} : { timeoutMs: TIMEOUT_WHILE_RECORDING_MS };
    if (id === LIVE || id === this.options.instrumentationKey) return { sources, ...hurry };
    if (recording?.id === id) {
      return { sources, from: datetimeFromUnixMs(recording.startedAtMs), ...hurry };
    }
    const finished = await this.recordings.open(id);
    return finished === null ? null : { sources: finished.sources, ...hurry };
  }
}

/**
 * A query holds ingestion up. A sender's queue of 2,048 spans lasts about two seconds under the lab's load, so no query may take that long
 * while what arrives is being kept.
 */
const TIMEOUT_WHILE_RECORDING_MS = 1000;

/** Without the limits that are not set, as the engine has defaults of its own. */
function definedLimits(limits: EmulatorOptions['query']): Partial<QueryLimits> {
  return Object.fromEntries(Object.entries(limits).filter(([, value]) => value !== undefined));
}
