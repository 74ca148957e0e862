import { createReadStream, createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

/**
 * An append-only log of telemetry in a folder of numbered files, `000001.ndjson` and on. The first line of a file is its header,
 * each other line is one accepted request: a JSON array of envelopes as they came over the wire. A line is written before its
 * request is answered, so what a sender was told to be accepted survives the end of the process, whatever ends it.
 * Every start begins a new file; a finished file may be compressed (`000001.ndjson.gz`).
 */
export const LOG_HEADER = { format: 'app-insights-telemetry', version: 1 } as const;

export interface SegmentLogOptions {
  directory: string;
  /** A file that has reached this size is finished, bytes. */
  segmentBytes?: number;
  /** The oldest files are removed while all together are larger, bytes; 0 keeps all. */
  maxBytes?: number;
  /** Compresses the files when the log is closed. */
  compressOnClose?: boolean;
}

export interface SegmentLogStats {
  directory: string;
  lines: number;
  bytes: number;
  /** Lines that could not be written, and the last reason. */
  lostLines: number;
  lastError: string | null;
  removedFiles: number;
}

const LINE_BREAK = Buffer.from('\n');

const SEGMENT = /^(\d{6,})\.ndjson(?:\.gz)?$/;

/** Files of a log folder in order. A file that was about to be replaced by its compressed copy counts once. */
export async function segmentFiles(directory: string): Promise<string[]> {
  const names = new Set((await readdir(directory)).filter((name) => SEGMENT.test(name)));
  return [...names]
    .filter((name) => !names.has(`${name}.gz`))
    .sort((a, b) => numberOf(a) - numberOf(b))
    .map((name) => path.join(directory, name));
}

const numberOf = (file: string) => Number(SEGMENT.exec(path.basename(file))?.[1] ?? 0);

export class SegmentLog {
  readonly #options: Required<SegmentLogOptions>;
  readonly #written: string[] = [];
  #next: number;
  #file: FileHandle | null = null;
  #fileBytes = 0;
  #tail: Promise<void> = Promise.resolve();
  #waiting: Buffer[] = [];
  #stats: SegmentLogStats;

  private constructor(options: Required<SegmentLogOptions>, next: number) {
    this.#options = options;
    this.#next = next;
    this.#stats = {
      directory: options.directory,
      lines: 0,
      bytes: 0,
      lostLines: 0,
      lastError: null,
      removedFiles: 0,
    };
  }

  /** Creates the folder if there is none. Throws if it can not be written to. */
  static async open(options: SegmentLogOptions): Promise<SegmentLog> {
    const complete = { segmentBytes: 32 * 1024 * 1024, maxBytes: 0, compressOnClose: false, ...options };
    await mkdir(complete.directory, { recursive: true });
    const last = (await segmentFiles(complete.directory)).at(-1);
    const log = new SegmentLog(complete, last === undefined ? 1 : numberOf(last) + 1);
    await log.#openSegment();
    return log;
  }

  get stats(): Readonly<SegmentLogStats> {
    return { ...this.#stats };
  }

  /**
   * Appends one line and resolves once the operating system has it. Lines that arrive while a write runs go out together.
   * Never rejects: a line that can not be written is counted.
   */
  append(line: Buffer): Promise<void> {
    this.#waiting.push(line);
    if (this.#waiting.length === 1) this.#tail = this.#tail.then(() => this.#write());
    return this.#tail;
  }

  /** Resolves once every line so far is written. */
  flush(): Promise<void> {
    return this.#tail;
  }

  async close(): Promise<void> {
    await this.#tail;
    await this.#file?.close();
    this.#file = null;
    if (this.#options.compressOnClose) for (const file of this.#written) await compress(file);
  }

  async #write(): Promise<void> {
    const lines = this.#waiting;
    this.#waiting = [];
    const parts = lines.flatMap((line) => [line, LINE_BREAK]);
    const bytes = parts.reduce((sum, part) => sum + part.length, 0);
    try {
      if (this.#file === null || this.#fileBytes >= this.#options.segmentBytes) await this.#openSegment();
      const written = (await this.#file?.writev(parts))?.bytesWritten ?? 0;
      // Short of space the system may take a part and call it a success.
      if (written < bytes) throw new Error(`wrote ${written} of ${bytes} bytes`);
      this.#fileBytes += bytes;
      this.#stats.lines += lines.length;
      this.#stats.bytes += bytes;
    } catch (error) {
      this.#stats.lostLines += lines.length;
      this.#stats.lastError = (error as Error).message;
      // What was written of it is a torn line; the next write starts a file of its own.
      await this.#file?.close().catch(() => {});
      this.#file = null;
    }
  }

  async #openSegment(): Promise<void> {
    await this.#file?.close();
    this.#file = null;
    const file = path.join(this.#options.directory, `${String(this.#next).padStart(6, '0')}.ndjson`);
    const header = Buffer.from(`${JSON.stringify(LOG_HEADER)}\n`);
    this.#file = await open(file, 'wx');
    this.#next += 1;
    this.#written.push(file);
    await this.#file.appendFile(header);
    this.#fileBytes = header.length;
    await this.#removeOldest();
  }

  async #removeOldest(): Promise<void> {
    if (this.#options.maxBytes === 0) return;
    const files = await segmentFiles(this.#options.directory);
    const sizes = await Promise.all(files.map(async (file) => (await stat(file)).size));
    let total = sizes.reduce((sum, size) => sum + size, 0);
    for (let index = 0; total > this.#options.maxBytes && index < files.length - 1; index += 1) {
      await rm(files[index] as string);
      total -= sizes[index] as number;
      this.#stats.removedFiles += 1;
    }
  }
}

/** Written beside and renamed, so that there is never half a compressed file under the final name. */
async function compress(file: string): Promise<void> {
  const target = `${file}.gz`;
  await pipeline(createReadStream(file), createGzip({ level: 4 }), createWriteStream(`${target}.part`));
  await rename(`${target}.part`, target);
  await rm(file);
}
