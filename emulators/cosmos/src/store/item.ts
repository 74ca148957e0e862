import type { LogicalPartition } from './logical-partition.js';

/** Members that the service adds to an item, in the order in which it sends them. */
export interface SystemProperties {
  _rid: string;
  _self: string;
  _etag: string;
  _attachments: string;
  /** Seconds since 1970. */
  _ts: number;
}

export type ItemDocument = Record<string, unknown> & SystemProperties & { id: string };

/** A stored item. Its JSON is kept beside the parsed document, so that answers are put together from ready text. */
export interface Item {
  readonly id: string;
  /** Order of creation in the container; a replaced item keeps it. Pages continue from it. */
  readonly sequence: number;
  readonly rid: string;
  readonly logicalPartition: LogicalPartition;
  document: ItemDocument;
  text: string;
  /** UTF-8 length of the text. */
  bytes: number;
  /** Scalar leaves covered by the indexing policy. */
  indexedPaths: number;
  /** Log sequence number of the latest change, container-wide: the order of the change feed. */
  lsn: number;
  /** Milliseconds since 1970; infinite without time to live. */
  expiresAtMs: number;
  /** Values under the container's unique keys. */
  uniqueKeys: readonly string[] | null;
}
