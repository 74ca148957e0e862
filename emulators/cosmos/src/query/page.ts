import type { CompiledQuery } from '../sql/index.js';
import type { Item } from '../store/item.js';
import type { QueryWork } from '../throughput/request-charge.js';
import type { ItemCursor } from './candidates.js';
import type { Continuation } from './continuation.js';

/** Published limit of one page of results. */
const PAGE_BYTES_LIMIT = 4 * 1024 * 1024;
/** What the service returns when a client doesn't say. */
export const DEFAULT_PAGE_ITEMS = 100;

export interface PageOptions {
  maxItems: number;
  /** Where an earlier page stopped in the same range. */
  from: Pick<Continuation, 'skip' | 'offset' | 'sequence'>;
}

export interface Page extends QueryWork {
  /** JSON text of each result. */
  results: string[];
  /** Null when the input is exhausted. */
  next: Pick<Continuation, 'skip' | 'offset' | 'sequence'> | null;
}

/** Runs a query over the items of a cursor until a page is full. */
export function runPage(query: CompiledQuery, cursor: ItemCursor, options: PageOptions): Page {
  return query.streaming ? streamPage(query, cursor, options) : slicePage(query, cursor, options);
}

/**
 * A query that answers each item on its own goes on from the item where the last page stopped. One result more is
 * looked for than the page holds, so that no page is empty without need; that look ahead is not charged.
 */
function streamPage(query: CompiledQuery, cursor: ItemCursor, { maxItems, from }: PageOptions): Page {
  const page: Page = {
    results: [],
    next: null,
    documentsLoaded: 0,
    bytesLoaded: 0,
    documentsReturned: 0,
    bytesReturned: 0,
  };
  let item: Item | null = null;
  let ofItem = 0;
  for (const result of query.run(cursor)) {
    if (cursor.current !== item) {
      item = cursor.current;
      ofItem = 0;
    }
    ofItem += 1;
    if (item !== null && item.sequence === from.sequence && ofItem <= from.skip) continue;
    const { text, bytes } = jsonOf(result, cursor);
    if (isFull(page, bytes, maxItems)) {
      page.next = { sequence: item?.sequence ?? 0, skip: ofItem - 1, offset: 0 };
      return page;
    }
    append(page, text, bytes);
    page.documentsLoaded = cursor.documentsLoaded;
    page.bytesLoaded = cursor.bytesLoaded;
  }
  page.documentsLoaded = cursor.documentsLoaded;
  page.bytesLoaded = cursor.bytesLoaded;
  return page;
}

/** Sorted, grouped and otherwise stateful results are computed anew for each page and cut. */
function slicePage(query: CompiledQuery, cursor: ItemCursor, { maxItems, from }: PageOptions): Page {
  const page: Page = {
    results: [],
    next: null,
    documentsLoaded: 0,
    bytesLoaded: 0,
    documentsReturned: 0,
    bytesReturned: 0,
  };
  let position = 0;
  for (const result of query.run(cursor)) {
    position += 1;
    if (position <= from.offset) continue;
    const { text, bytes } = jsonOf(result, cursor);
    if (isFull(page, bytes, maxItems)) {
      page.next = { sequence: 0, skip: 0, offset: position - 1 };
      break;
    }
    append(page, text, bytes);
  }
  // The service sorts by index and loads what it returns; only the first page pays for finding the order.
  page.documentsLoaded = from.offset === 0 ? cursor.documentsLoaded : page.documentsReturned;
  page.bytesLoaded = from.offset === 0 ? cursor.bytesLoaded : page.bytesReturned;
  return page;
}

interface Json {
  text: string;
  /** UTF-8 length. */
  bytes: number;
}

/** A whole item has its text ready. */
function jsonOf(result: unknown, cursor: ItemCursor): Json {
  const item = cursor.itemOf(result);
  if (item !== undefined) return item;
  const text = JSON.stringify(result);
  return { text, bytes: Buffer.byteLength(text) };
}

function isFull(page: Page, bytes: number, maxItems: number): boolean {
  if (page.results.length >= maxItems) return true;
  return page.results.length > 0 && page.bytesReturned + bytes > PAGE_BYTES_LIMIT;
}

function append(page: Page, text: string, bytes: number): void {
  page.results.push(text);
  page.documentsReturned += 1;
  page.bytesReturned += bytes;
}
