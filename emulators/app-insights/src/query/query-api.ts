import { performance } from 'node:perf_hooks';
import { EmulatorError } from '../errors.js';
import {
  datetimeFromUnixMs,
  type KqlEngine,
  KqlError,
  type QueryLimits,
  type QueryResult,
  type TableSource,
} from '../kql/index.js';
import { queryError } from './query-error.js';
import { parseTimespanParameter } from './timespan.js';

/** What an application id stands for. */
export interface Application {
  sources: Readonly<Record<string, TableSource>>;
  /** Rows with an earlier timestamp are not its own; an engine datetime. */
  from?: number;
  /** Shorter than the common limit while something else must not wait, ms. */
  timeoutMs?: number;
}

export interface QueryApiOptions {
  /** Called per query, as the engine may be made late. */
  engine: () => KqlEngine;
  limits: Partial<QueryLimits>;
  /** Null when there is no such application. */
  applicationOf: (applicationId: string) => Promise<Application | null>;
  now?: () => number;
}

/** One query as a client asks it. */
export interface QueryRequest {
  applicationId: string;
  query: unknown;
  timespan?: unknown;
  /** The `Prefer` header. */
  prefer?: string | undefined;
}

export interface QueryCounts {
  queries: number;
  failed: number;
  /** Longest run of one query; ingestion waits that long at most, as both share a thread. */
  longestMs: number;
}

export interface QueryAnswer {
  status: number;
  body: Record<string, unknown>;
}

const MAX_BATCH = 100;

/** `POST /v1/apps/{id}/query` and its relatives, after HTTP has been taken off. */
export class QueryApi {
  readonly #options: QueryApiOptions;
  readonly #now: () => number;
  readonly counts: QueryCounts = { queries: 0, failed: 0, longestMs: 0 };

  constructor(options: QueryApiOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** What is wrong with a query is its answer; throws what is this program's own failure. */
  async answer(request: QueryRequest): Promise<QueryAnswer> {
    this.counts.queries += 1;
    const started = performance.now();
    try {
      const result = await this.#run(request);
      return { status: 200, body: tableAnswer(result, preferences(request.prefer)) };
    } catch (error) {
      this.counts.failed += 1;
      if (!(error instanceof KqlError || error instanceof EmulatorError)) throw error;
      const { status, body } = queryError(error);
      return { status, body: { ...body } };
    } finally {
      this.counts.longestMs = Math.max(this.counts.longestMs, performance.now() - started);
    }
  }

  /** The official client's `queryBatch`: each query has its own status. */
  async batch(requests: unknown, prefer: string | undefined): Promise<QueryAnswer> {
    if (!Array.isArray(requests) || requests.length > MAX_BATCH) {
      const error = new EmulatorError(
        'BAD_ARGUMENT',
        `'requests' must be a list of at most ${MAX_BATCH} queries`,
      );
      const { status, body } = queryError(error);
      return { status, body: { ...body } };
    }
    const responses: unknown[] = [];
    for (const entry of requests as (Record<string, unknown> | null)[]) {
      const body = (entry?.body ?? {}) as Record<string, unknown>;
      const headers = (entry?.headers ?? {}) as Record<string, string | undefined>;
      const answer = await this.answer({
        applicationId: String(entry?.workspace ?? ''),
        query: body.query,
        timespan: body.timespan,
        prefer: headers.Prefer ?? headers.prefer ?? prefer,
      });
      responses.push({ id: entry?.id, status: answer.status, headers: {}, body: answer.body });
    }
    return { status: 200, body: { responses } };
  }

  async #run({ applicationId, query, timespan, prefer }: QueryRequest): Promise<QueryResult> {
    if (typeof query !== 'string' || query.trim() === '') {
      throw new EmulatorError('BAD_ARGUMENT', "'query' is required and must be text");
    }
    if (timespan !== undefined && timespan !== null && typeof timespan !== 'string') {
      throw new EmulatorError('BAD_ARGUMENT', "'timespan' must be text");
    }
    const now = datetimeFromUnixMs(this.#now());
    const range = timespan ? parseTimespanParameter(timespan, now) : undefined;
    const application = await this.#options.applicationOf(applicationId);
    if (application === null)
      throw new EmulatorError('APPLICATION_NOT_FOUND', JSON.stringify(applicationId.slice(0, 80)));
    const { waitMs } = preferences(prefer);
    const { limits } = this.#options;
    const given = [waitMs, limits.timeoutMs, application.timeoutMs].filter((ms) => ms !== undefined);
    const timeoutMs = Math.min(...given);
    const from = later(range?.from, application.from);
    return this.#options.engine().execute(query, application.sources, {
      now,
      limits: Number.isFinite(timeoutMs) ? { ...limits, timeoutMs } : limits,
      timespan: { ...range, ...(from === undefined ? {} : { from }) },
    });
  }
}

function later(a: number | undefined, b: number | undefined): number | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return Math.max(a, b);
}

interface Preferences {
  waitMs?: number;
  statistics: boolean;
  render: boolean;
}

/** `Prefer: wait=30,include-statistics=true,include-render=true` */
function preferences(header: string | undefined): Preferences {
  const wait = /(?:^|[\s,;])wait=(\d+)/.exec(header ?? '')?.[1];
  return {
    ...(wait === undefined ? {} : { waitMs: Math.max(1, Number(wait) * 1000) }),
    statistics: /include-statistics=true/i.test(header ?? ''),
    render: /include-render=true/i.test(header ?? ''),
  };
}

function tableAnswer(result: QueryResult, wants: Preferences): Record<string, unknown> {
  const dynamic = result.columns.map((column) => column.type === 'dynamic');
  const rows = dynamic.includes(true)
    ? result.rows.map((row) => row.map((value, index) => (dynamic[index] ? dynamicText(value) : value)))
    : result.rows;
  const answer: Record<string, unknown> = {
    tables: [
      { name: 'PrimaryResult', columns: result.columns.map(({ name, type }) => ({ name, type })), rows },
    ],
  };
  if (wants.render && result.visualization !== undefined) {
    const { kind, properties } = result.visualization;
    answer.render = { visualization: kind, ...properties };
  }
  if (wants.statistics) {
    const { durationMs, scannedRows, resultRows, peakMemoryBytes } = result.stats;
    answer.statistics = {
      query: {
        executionTime: durationMs / 1000,
        resourceUsage: { memory: { peak_per_node: peakMemoryBytes } },
        inputDatasetStatistics: { rows: { scanned: scannedRows } },
        datasetStatistics: [{ tableRowCount: resultRows }],
      },
    };
  }
  return answer;
}

/** The API sends dynamic values as JSON text; null stays null. */
const dynamicText = (value: unknown) =>
  value === null || typeof value === 'string' ? value : JSON.stringify(value);
