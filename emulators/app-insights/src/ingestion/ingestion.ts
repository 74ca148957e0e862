import type { IngestionLimits } from '../limits.js';
import type { SegmentLog } from '../store/segment-log.js';
import type { TelemetryStore } from '../store/store.js';
import { type Envelope, type ItemError, ItemRejection, type TrackResponse } from './envelope.js';
import { logLine, parseItems, UnreadableLine } from './parse-items.js';
import { IngestionQuota } from './quota.js';
import type { AddRow, RowMapper } from './rows.js';

export interface IngestionOptions {
  store: TelemetryStore;
  mapper: RowMapper;
  limits: IngestionLimits;
  appId: string;
  now?: () => number;
}

export interface IngestionCounts {
  requests: number;
  items: number;
  accepted: number;
  /** By status of the item. */
  rejected: Record<string, number>;
  lastRejection: string | null;
}

/** Errors listed in one answer; the counts cover all. */
const MAX_LISTED_ERRORS = 1000;

/** Takes items in: into the store, and into every log that is open. */
export class Ingestion {
  readonly #options: IngestionOptions;
  readonly #quota: IngestionQuota;
  /** Each with the time from which it takes items, ticks. */
  readonly #logs = new Map<SegmentLog, number>();
  readonly #counts: IngestionCounts = {
    requests: 0,
    items: 0,
    accepted: 0,
    rejected: {},
    lastRejection: null,
  };

  constructor(options: IngestionOptions) {
    this.#options = options;
    this.#quota = new IngestionQuota(options.limits, options.now);
  }

  get counts(): IngestionCounts {
    return { ...this.#counts, rejected: { ...this.#counts.rejected } };
  }

  /** From now on everything accepted that happened at `from` (ticks) or later is appended to `log` as well. */
  attach(log: SegmentLog, from = Number.NEGATIVE_INFINITY): void {
    this.#logs.set(log, from);
  }

  /** Stops appending; the log stays open. */
  detach(log: SegmentLog): void {
    this.#logs.delete(log);
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#logs.keys()].map((log) => log.flush()));
  }

  /** A track body. Throws `EmulatorError` when the request as a whole is refused. */
  async track(body: Buffer): Promise<TrackResponse> {
    return this.#take(parseItems(body, this.#options.limits), { body, bytes: body.length });
  }

  /** Envelopes that were made here, from OTLP; `bytes` is the size of what they were made from. */
  async accept(envelopes: readonly Envelope[], bytes: number): Promise<TrackResponse> {
    return this.#take(envelopes, { body: null, bytes });
  }

  async #take(
    items: readonly unknown[],
    source: { body: Buffer | null; bytes: number },
  ): Promise<TrackResponse> {
    this.#counts.requests += 1;
    this.#quota.take(items.length);
    const { errors, times } = this.#map(items, source.bytes / Math.max(1, items.length));
    const response = {
      itemsReceived: items.length,
      itemsAccepted: items.length - errors.length,
      appId: this.#options.appId,
      errors: errors.slice(0, MAX_LISTED_ERRORS),
    };
    if (response.itemsAccepted > 0) await this.#log(source.body, items, times);
    return response;
  }

  async #log(body: Buffer | null, items: readonly unknown[], times: Float64Array): Promise<void> {
    if (this.#logs.size === 0) return;
    const line = logLine(body, items);
    const appended = [...this.#logs].map(([log, from]) => {
      if (!times.some((time) => time < from)) return log.append(line);
      const later = items.filter((_, index) => !((times[index] as number) < from));
      return later.length === 0 ? undefined : log.append(logLine(null, later));
    });
    await Promise.all(appended);
  }

  /** `times`: of each item, ticks; NaN for one that was refused. */
  #map(items: readonly unknown[], bytesPerItem: number): { errors: ItemError[]; times: Float64Array } {
    const { mapper, store } = this.#options;
    const add: AddRow = (table, row) => store.add(table, row, bytesPerItem);
    const errors: ItemError[] = [];
    const times = new Float64Array(items.length).fill(Number.NaN);
    items.forEach((item, index) => {
      this.#counts.items += 1;
      try {
        if (item instanceof UnreadableLine) throw new ItemRejection(`the line is not JSON: ${item.reason}`);
        times[index] = mapper.map(item, add);
        this.#counts.accepted += 1;
      } catch (error) {
        if (!(error instanceof ItemRejection)) throw error;
        errors.push({ index, statusCode: error.statusCode, message: error.message });
        this.#countRejection(error);
      }
    });
    return { errors, times };
  }

  #countRejection(error: ItemRejection): void {
    const { rejected } = this.#counts;
    rejected[error.statusCode] = (rejected[error.statusCode] ?? 0) + 1;
    this.#counts.lastRejection = error.message;
  }
}
