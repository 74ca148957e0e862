/**
 * Request units per operation, fitted to figures that Microsoft publishes (learn.microsoft.com/azure/cosmos-db).
 * KB are KiB of the item's UTF-8 JSON as stored. All charges are rounded to 0.01.
 */
export const CHARGES = {
  /** optimize-cost-reads-writes: a point read of 1 KB costs 1 RU, of 100 KB 10 RU. */
  readBase: 1,
  readPerFurtherKb: 9 / 99,
  /** key-value-store-cost: a write without indexing costs 5 RU for 1 KB, 50 RU for 100 KB. */
  writeMinimum: 5,
  writePerFurtherKb: 45 / 99,
  /** how-to-model-partition-example: creates with 2, 5, 6 and 7 indexed properties cost 5.71, 7.05, 8.57 and 8.76 RU. */
  writeBase: 4.5,
  writePerIndexedPath: 0.61,
  /** No published figure: a replace takes the old index terms out and puts the new ones in. */
  replaceFactor: 2,
  deleteFactor: 1,
  /** how-to-query-container: "a minimum of about 2.5 RU" per physical partition. A setting of each container. */
  queryBase: 2.5,
  /** troubleshoot-query-performance: 4,059.95 RU for a scan of 60,951 documents, 399,998,938 bytes. */
  queryPerDocumentLoaded: 0.0166,
  queryPerKbLoaded: 0.0078,
  /** optimize-cost-queries: 3.19 RU for one result of 9,963 bytes; troubleshoot-query-performance: 2.98 RU for one of 6.6 KB. */
  queryPerDocumentReturned: 0.058,
  queryPerKbReturned: 0.0555,
  /** Reported with a refused request in Microsoft's support articles; it is not drawn from the budget. */
  refused: 0.38,
  /** Reads and changes of databases, containers and offers, as commonly reported; not drawn from any budget. */
  metadataRead: 1,
  metadataWrite: 4.95,
} as const;

const BYTES_PER_KB = 1024;

export function roundCharge(requestUnits: number): number {
  return Math.round(requestUnits * 100) / 100;
}

export function readCharge(bytes: number): number {
  return roundCharge(CHARGES.readBase + furtherKb(bytes) * CHARGES.readPerFurtherKb);
}

function furtherKb(bytes: number): number {
  return Math.max(0, bytes / BYTES_PER_KB - 1);
}

/** @param indexedPaths scalar leaves of the item that the indexing policy covers */
export function createCharge(bytes: number, indexedPaths: number): number {
  return roundCharge(unroundedWrite(bytes, indexedPaths));
}

export function replaceCharge(bytes: number, indexedPaths: number): number {
  return roundCharge(CHARGES.replaceFactor * unroundedWrite(bytes, indexedPaths));
}

export function deleteCharge(bytes: number, indexedPaths: number): number {
  return roundCharge(CHARGES.deleteFactor * unroundedWrite(bytes, indexedPaths));
}

function unroundedWrite(bytes: number, indexedPaths: number): number {
  const indexing = CHARGES.writeBase + CHARGES.writePerIndexedPath * indexedPaths;
  return Math.max(CHARGES.writeMinimum, indexing) + furtherKb(bytes) * CHARGES.writePerFurtherKb;
}

export interface QueryWork {
  documentsLoaded: number;
  bytesLoaded: number;
  documentsReturned: number;
  bytesReturned: number;
}

/** One page of a query in one physical partition. */
export function queryCharge(work: QueryWork, base: number): number {
  return roundCharge(
    base +
      CHARGES.queryPerDocumentLoaded * work.documentsLoaded +
      CHARGES.queryPerKbLoaded * (work.bytesLoaded / BYTES_PER_KB) +
      CHARGES.queryPerDocumentReturned * work.documentsReturned +
      CHARGES.queryPerKbReturned * (work.bytesReturned / BYTES_PER_KB),
  );
}
