import type { Column, Row, TableSource } from '../kql/index.js';

interface Segment {
  readonly rows: Row[];
  /** Estimated bytes of the rows. */
  bytes: number;
  /** Arrival number of the first row, over all tables of the store. */
  readonly firstArrival: number;
}

const ROWS_PER_SEGMENT = 1024;

/** Rows of one table in order of arrival, dropped in segments from the old end. */
export class Table implements TableSource {
  readonly columns: readonly Column[];
  #segments: Segment[] = [];
  #rows = 0;
  #bytes = 0;

  constructor(columns: readonly Column[]) {
    this.columns = columns;
  }

  get rowCount(): number {
    return this.#rows;
  }

  /** Estimated. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Arrival number of the oldest row; infinite when there is nothing that could be dropped. */
  get oldestArrival(): number {
    return this.#segments[0]?.firstArrival ?? Number.POSITIVE_INFINITY;
  }

  batches(): Iterable<readonly Row[]> {
    return this.#segments.map((segment) => segment.rows);
  }

  add(row: Row, bytes: number, arrival: number): void {
    let segment = this.#segments[this.#segments.length - 1];
    if (segment === undefined || segment.rows.length >= ROWS_PER_SEGMENT) {
      segment = { rows: [], bytes: 0, firstArrival: arrival };
      this.#segments.push(segment);
    }
    segment.rows.push(row);
    segment.bytes += bytes;
    this.#rows += 1;
    this.#bytes += bytes;
  }

  /** Drops the oldest segment and tells how many rows went with it. */
  evictSegment(): number {
    const [oldest] = this.#segments.splice(0, 1);
    if (oldest === undefined) return 0;
    this.#rows -= oldest.rows.length;
    this.#bytes -= oldest.bytes;
    return oldest.rows.length;
  }

  clear(): void {
    this.#segments = [];
    this.#rows = 0;
    this.#bytes = 0;
  }
}
