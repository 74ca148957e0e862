import { access } from 'node:fs/promises';
import path from 'node:path';
import { EmulatorError } from '../errors.js';
import type { Ingestion } from '../ingestion/ingestion.js';
import { datetimeFromUnixMs } from '../kql/index.js';
import { SegmentLog, type SegmentLogStats } from './segment-log.js';
import { openTelemetryFolder, type TelemetryFolder } from './telemetry-folder.js';

const ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

export function checkRecordingId(id: string): void {
  if (!ID.test(id)) {
    throw new EmulatorError(
      'BAD_ARGUMENT',
      `recording id ${JSON.stringify(id.slice(0, 140))} must be 1 to 128 letters, digits, '.', '_' or '-', beginning with a letter or digit`,
    );
  }
}

export interface RecordingStats extends SegmentLogStats {
  id: string;
  /** Unix time. */
  startedAtMs: number;
}

/** Runs' telemetry under one folder: `<directory>/<id>/telemetry`. At most one is being written. */
export class Recordings {
  readonly #directory: string | null;
  readonly #ingestion: Ingestion;
  readonly #now: () => number;
  #current: { id: string; log: SegmentLog; startedAtMs: number } | null = null;
  #opened: { id: string; folder: Promise<TelemetryFolder> } | null = null;

  constructor(options: { directory: string | null; ingestion: Ingestion; now: () => number }) {
    this.#directory = options.directory;
    this.#ingestion = options.ingestion;
    this.#now = options.now;
  }

  get current(): RecordingStats | null {
    return this.#current === null ? null : statsOf(this.#current);
  }

  /**
   * From now on everything accepted is also written to `<directory>/<id>/telemetry`, but for what happened before: senders deliver
   * late, and half an operation of an earlier load would be in the tables of this one.
   */
  async start(id: string): Promise<RecordingStats> {
    checkRecordingId(id);
    if (this.#current !== null) throw new EmulatorError('CONFLICT', this.#current.id);
    const log = await SegmentLog.open({ directory: this.#folderOf(id), compressOnClose: true });
    const startedAtMs = this.#now();
    this.#current = { id, log, startedAtMs };
    this.#ingestion.attach(log, datetimeFromUnixMs(startedAtMs));
    return statsOf(this.#current);
  }

  /** Ends the recording; its files are complete and compressed when this resolves. */
  async stop(id: string): Promise<RecordingStats> {
    const current = this.#current;
    if (current?.id !== id)
      throw new EmulatorError('APPLICATION_NOT_FOUND', `no recording ${JSON.stringify(id)} is running`);
    this.#current = null;
    this.#ingestion.detach(current.log);
    await current.log.close();
    return statsOf(current);
  }

  async stopCurrent(): Promise<void> {
    if (this.#current !== null) await this.stop(this.#current.id);
  }

  /** A finished run's tables, read from disk; the last one asked for stays in memory. Null when there is none. */
  async open(id: string): Promise<TelemetryFolder | null> {
    if (this.#directory === null || !ID.test(id) || this.#current?.id === id) return null;
    if (this.#opened?.id !== id) {
      const directory = this.#folderOf(id);
      if (!(await exists(directory))) return null;
      this.#opened = { id, folder: openTelemetryFolder(directory) };
      this.#opened.folder.catch(() => {
        this.#opened = null;
      });
    }
    return this.#opened.folder;
  }

  #folderOf(id: string): string {
    if (this.#directory === null) {
      throw new EmulatorError('NOT_CONFIGURED', 'start the server with a folder for runs (--runs-dir)');
    }
    return path.join(this.#directory, id, 'telemetry');
  }
}

const statsOf = ({ id, log, startedAtMs }: { id: string; log: SegmentLog; startedAtMs: number }) => ({
  id,
  startedAtMs,
  ...log.stats,
});

const exists = (directory: string) =>
  access(directory).then(
    () => true,
    () => false,
  );
