import type { Row, TableSource } from '../kql/index.js';
import type { Retention } from '../limits.js';
import { TABLE_NAMES, TABLES, type TableName } from '../schema.js';
import { Table } from './table.js';

export type TableCounts = Record<TableName, number>;

const zeroes = () => Object.fromEntries(TABLE_NAMES.map((name) => [name, 0])) as TableCounts;

/** An array of positions costs 8 bytes each; boxed numbers, the array and its share of the segment make up the rest. */
const BYTES_PER_COLUMN = 8;
const BYTES_PER_ROW = 128;

/** All tables of one resource, bounded by rows per table and by estimated bytes over all; what is dropped is counted. */
export class TelemetryStore {
  readonly #retention: Retention;
  readonly #tables: Record<TableName, Table>;
  readonly #ingested = zeroes();
  readonly #evicted = zeroes();
  #bytes = 0;
  #arrivals = 0;

  constructor(retention: Retention) {
    this.#retention = retention;
    this.#tables = Object.fromEntries(TABLE_NAMES.map((name) => [name, new Table(TABLES[name])])) as Record<
      TableName,
      Table
    >;
  }

  get sources(): Readonly<Record<TableName, TableSource>> {
    return this.#tables;
  }

  /** Estimated bytes of all rows. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `payloadBytes`: about how much of the sender's body the row was made of. */
  add(name: TableName, row: Row, payloadBytes: number): void {
    const table = this.#tables[name];
    const bytes = payloadBytes + table.columns.length * BYTES_PER_COLUMN + BYTES_PER_ROW;
    table.add(row, bytes, this.#arrivals);
    this.#arrivals += 1;
    this.#bytes += bytes;
    this.#ingested[name] += 1;
    if (table.rowCount > this.#retention.rows) this.#evictFrom(name);
    while (this.#bytes > this.#retention.bytes) this.#evictFrom(this.#oldest());
  }

  counts(): { ingested: TableCounts; retained: TableCounts; evicted: TableCounts } {
    const retained = zeroes();
    for (const name of TABLE_NAMES) retained[name] = this.#tables[name].rowCount;
    return { ingested: { ...this.#ingested }, retained, evicted: { ...this.#evicted } };
  }

  /** Forgets all rows; the counts of what was ingested stay. */
  clear(): void {
    for (const name of TABLE_NAMES) this.#tables[name].clear();
    this.#bytes = 0;
  }

  #evictFrom(name: TableName): void {
    const table = this.#tables[name];
    const before = table.bytes;
    this.#evicted[name] += table.evictSegment();
    this.#bytes -= before - table.bytes;
  }

  #oldest(): TableName {
    return TABLE_NAMES.reduce((oldest, name) =>
      this.#tables[name].oldestArrival < this.#tables[oldest].oldestArrival ? name : oldest,
    );
  }
}
