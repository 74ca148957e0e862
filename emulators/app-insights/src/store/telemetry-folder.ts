import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { getHeapStatistics } from 'node:v8';
import { createGunzip } from 'node:zlib';
import { EmulatorError } from '../errors.js';
import type { ResourceIdentity } from '../ingestion/context-values.js';
import { ItemRejection } from '../ingestion/envelope.js';
import { newItemIds } from '../ingestion/item-ids.js';
import { RowMapper } from '../ingestion/rows.js';
import type { TableSource } from '../kql/index.js';
import { ingestionLimits, type Retention } from '../limits.js';
import type { TableName } from '../schema.js';
import { LOG_HEADER, segmentFiles } from './segment-log.js';
import { TelemetryStore } from './store.js';

/** A line that is no JSON: the end of a process that was killed, or of a disk that was full. */
export interface TornLine {
  file: string;
  /** From 1. */
  line: number;
  /** Characters. */
  length: number;
}

export interface LoadReport {
  files: number;
  items: number;
  rows: number;
  /** Items that were refused when they were received, and are refused again. */
  rejected: number;
  tornLines: TornLine[];
}

export interface TelemetryFolder {
  sources: Readonly<Record<TableName, TableSource>>;
  report: LoadReport;
}

export interface OpenFolderOptions {
  identity?: ResourceIdentity;
  newItemId?: () => string;
  /**
   * Most that the rows may take, estimated bytes; default: what Node's heap may grow to. Rows take about half of the estimate, so that
   * the other half is left for queries.
   */
  maxBytes?: number;
}

/** Ids of a folder's rows are the same at every reading. */
const FIRST_ID = 0;

const UNBOUNDED: Retention = { rows: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };

/**
 * Reads a run's telemetry for queries. Throws if the folder does not exist, was written by a newer version, or holds more than memory
 * has room for.
 */
export async function openTelemetryFolder(
  directory: string,
  options: OpenFolderOptions = {},
): Promise<TelemetryFolder> {
  const store = new TelemetryStore(UNBOUNDED);
  const maxBytes = options.maxBytes ?? getHeapStatistics().heap_size_limit;
  const report = await loadInto(store, directory, { ...options, maxBytes });
  return { sources: store.sources, report };
}

/** Reads all files of a log folder into a store, as far as its retention lets rows stay. */
export async function loadInto(
  store: TelemetryStore,
  directory: string,
  options: OpenFolderOptions = {},
): Promise<LoadReport> {
  const mapper = new RowMapper({
    limits: ingestionLimits.parse({}),
    identity: options.identity ?? {
      appId: path.basename(path.dirname(path.resolve(directory))),
      appName: '',
    },
    newItemId: options.newItemId ?? newItemIds(FIRST_ID),
  });
  const report: LoadReport = { files: 0, items: 0, rows: 0, rejected: 0, tornLines: [] };
  const { maxBytes = Number.POSITIVE_INFINITY } = options;
  for (const file of await segmentFiles(directory)) {
    report.files += 1;
    await loadFile(file, { store, mapper, report, maxBytes });
  }
  return report;
}

interface Loading {
  store: TelemetryStore;
  mapper: RowMapper;
  report: LoadReport;
  maxBytes: number;
}

async function loadFile(file: string, loading: Loading): Promise<void> {
  let number = 0;
  for await (const line of linesOf(file)) {
    number += 1;
    if (line === '') continue;
    const value = parseLine(line);
    if (value === undefined) loading.report.tornLines.push({ file, line: number, length: line.length });
    else if (Array.isArray(value)) loadItems(value, line.length, loading);
    else checkHeader(value, file);
    checkRoom(loading);
  }
}

const MB = 1024 * 1024;

function checkRoom({ store, report, maxBytes }: Loading): void {
  if (store.bytes <= maxBytes) return;
  throw new EmulatorError(
    'RECORDING_TOO_LARGE',
    `its first ${report.rows} rows take ${Math.round(maxBytes / MB)} MB already; start Node with more memory, for example ` +
      'NODE_OPTIONS=--max-old-space-size=8192',
  );
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function checkHeader(value: unknown, file: string): void {
  const { format, version } = (value ?? {}) as Record<string, unknown>;
  if (format !== LOG_HEADER.format || version !== LOG_HEADER.version) {
    throw new Error(
      `${file} is not a telemetry log of version ${LOG_HEADER.version}: its header says ${JSON.stringify({ format, version })}`,
    );
  }
}

function loadItems(items: unknown[], lineLength: number, { store, mapper, report }: Loading): void {
  const share = lineLength / Math.max(1, items.length);
  for (const item of items) {
    report.items += 1;
    try {
      mapper.map(item, (table, row) => {
        store.add(table, row, share);
        report.rows += 1;
      });
    } catch (error) {
      if (!(error instanceof ItemRejection)) throw error;
      report.rejected += 1;
    }
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const raw = createReadStream(file);
  const input = file.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  raw.once('error', (error) => input.destroy(error));
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (cause) {
    throw new Error(`${file} can not be read to its end: ${(cause as Error).message}`, { cause });
  }
}
