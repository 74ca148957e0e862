/** Scalar types of the Kusto query language. `decimal` exists in schemas of the language only: the engine refuses it. */
export type KqlType =
  | 'bool'
  | 'int'
  | 'long'
  | 'real'
  | 'decimal'
  | 'datetime'
  | 'timespan'
  | 'string'
  | 'dynamic'
  | 'guid';

export interface Column {
  readonly name: string;
  readonly type: KqlType;
}

/**
 * One row: positional, in the order of the table's columns, exactly one value per column, never `undefined`.
 *
 * | type       | value                                                                                         |
 * |------------|-----------------------------------------------------------------------------------------------|
 * | bool       | boolean or null                                                                               |
 * | int, long  | whole number within ±(2^53 − 1), or null                                                      |
 * | real       | number (NaN and infinities allowed) or null                                                   |
 * | datetime   | ticks of 100 ns since 2020-01-01T00:00:00Z (see `datetimeFromUnixMs`, `parseDatetime`), or null |
 * | timespan   | ticks of 100 ns (see `timespanFromMs`, `parseTimespan`), or null                              |
 * | string     | string; Kusto strings are never null, a missing one is ''                                     |
 * | guid       | lower-case string or null                                                                     |
 * | dynamic    | a JSON value (object, array, string, number, boolean, null), not its text; never mutated      |
 *
 * The engine keeps references to rows while a query runs, so a row must not be reused for other data.
 */
export type Row = readonly unknown[];

export interface TableSource {
  readonly columns: readonly Column[];
  /** Batches of rows in any order. Arrays are read by index, so a ring buffer hands out its segments as they are. */
  batches(): Iterable<readonly Row[]>;
  /** Number of rows when it is known. Only a hint. */
  readonly rowCount?: number;
}

export interface QueryLimits {
  /** Wall time of parsing, compiling and running one query, ms. */
  readonly timeoutMs: number;
  /** Rows of the result. Application Insights documents 500,000 per query. */
  readonly maxResultRows: number;
  /** Estimated bytes a query may hold at once: sort buffers, join tables, groups, lists, result. */
  readonly maxMemoryBytes: number;
  /** Characters of query text. */
  readonly maxQueryLength: number;
  /** Nested brackets of query text, outside of strings. */
  readonly maxNesting: number;
}

/** Rows with a datetime `timestamp` column outside of this range are not seen by the query; `to` is exclusive. */
export interface TimeRange {
  /** Engine datetime (ticks). */
  readonly from?: number;
  /** Engine datetime (ticks). */
  readonly to?: number;
}

export interface ExecuteOptions {
  /** What `now()` and `ago()` see; an engine datetime (ticks). Default: the clock when the query starts. */
  readonly now?: number;
  readonly limits?: Partial<QueryLimits>;
  /** ANDed with the query on every table that has a `timestamp` column. */
  readonly timespan?: TimeRange;
}

export interface Visualization {
  /** `timechart`, `columnchart`, ... */
  readonly kind: string;
  /** `title`, `xcolumn`, `ycolumns`, ... as written after `with`. */
  readonly properties: Readonly<Record<string, string | number | boolean | readonly string[]>>;
}

export interface QueryStats {
  readonly durationMs: number;
  readonly scannedRows: number;
  readonly resultRows: number;
  /** Largest estimate of bytes held at once. */
  readonly peakMemoryBytes: number;
}

export interface QueryResult {
  readonly columns: Column[];
  /**
   * Ready for JSON: datetime as ISO 8601 with up to 7 digits ('2026-01-02T03:04:05.678Z'), timespan as
   * '[-][d.]hh:mm:ss[.fffffff]', dynamic as a JSON value (the query API stringifies it), NaN and infinities as 'NaN', 'Infinity', '-Infinity'.
   */
  readonly rows: unknown[][];
  readonly visualization?: Visualization;
  readonly stats: QueryStats;
}

export interface Diagnostic {
  /** The language service's code (`KS142`) or the engine's (`LAB...`). */
  readonly code: string;
  readonly message: string;
  readonly severity: 'error' | 'warning';
  /** Offset in characters from the text's begin. */
  readonly start: number;
  readonly length: number;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
}

export interface Analysis {
  readonly diagnostics: readonly Diagnostic[];
  /** Columns of the result; empty when the text has errors. */
  readonly columns: readonly Column[];
}

export interface CompletionItem {
  readonly kind: string;
  readonly label: string;
  readonly insertText: string;
}

export interface Completions {
  /** The range of the text that an accepted item replaces. */
  readonly editStart: number;
  readonly editLength: number;
  readonly items: readonly CompletionItem[];
}

export interface KqlEngine {
  /** Runs one query. Throws `KqlError`. Synchronous: give it a worker thread or short limits where that matters. */
  execute(
    text: string,
    sources: Readonly<Record<string, TableSource>>,
    options?: ExecuteOptions,
  ): QueryResult;
  /** Diagnostics of the language service plus the engine's own refusals, without running anything. Never throws on bad text. */
  analyze(text: string): Analysis;
  complete(text: string, position: number): Completions;
  /** Loads and warms the language service (about 1 s), so that the first query does not pay for it. */
  warm(): void;
}
