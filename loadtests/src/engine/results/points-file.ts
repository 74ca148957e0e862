import { createWriteStream, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { LoadError } from '../errors.js';
import type { Metric } from './metric.js';
import type { TagSet } from './tags.js';

const FLUSH_MS = 200;
const FLUSH_CHARACTERS = 65_536;

/**
 * `--out json=FILE`: one JSON object per line, a metric's definition before its first sample, then every sample, as k6
 * writes them. A name that ends in `.gz` is compressed.
 */
export class PointsFile {
  readonly #out: Writable;
  readonly #file: Writable;
  readonly #defined = new Set<Metric>();
  readonly #timer: NodeJS.Timeout;
  readonly #only: ReadonlySet<string> | undefined;
  #closed = false;
  #failure: LoadError | undefined;
  #buffer = '';
  #lastTimeMs = -1;
  #lastTime = '';

  /** The file is made at once, so that a wrong path is found before the test. Without `only`, all metrics are written. */
  constructor(path: string, only?: readonly string[]) {
    this.#only = only === undefined ? undefined : new Set(only);
    let descriptor: number;
    try {
      descriptor = openSync(path, 'w');
    } catch (cause) {
      throw new LoadError(
        'LOAD_OUTPUT_NOT_WRITABLE',
        `the output file cannot be written: ${(cause as Error).message}`,
        { cause },
      );
    }
    this.#file = createWriteStream(path, { fd: descriptor });
    this.#file.on('error', (error) => this.#fail(error));
    if (path.endsWith('.gz')) {
      const gzip = createGzip();
      gzip.pipe(this.#file);
      this.#out = gzip;
    } else {
      this.#out = this.#file;
    }
    this.#timer = setInterval(() => this.#flush(), FLUSH_MS);
    this.#timer.unref();
  }

  add(metric: Metric, value: number, tags: TagSet, timeMs: number): void {
    if (!this.#defined.has(metric)) this.#define(metric);
    if (this.#only !== undefined && !this.#only.has(metric.name)) return;
    this.#buffer += `{"metric":"${metric.name}","type":"Point","data":{"time":"${this.#time(timeMs)}","value":${value},"tags":${tags.json}}}\n`;
    if (this.#buffer.length > FLUSH_CHARACTERS) this.#flush();
  }

  /** Writes what is left. Gives the error that has kept the file from being complete, such as a full disk. */
  async close(): Promise<LoadError | undefined> {
    if (!this.#closed) {
      this.#closed = true;
      clearInterval(this.#timer);
      this.#flush();
      this.#out.end();
    }
    await finished(this.#file).catch((error: Error) => this.#fail(error));
    return this.#failure;
  }

  #fail(cause: Error): void {
    this.#failure ??= new LoadError(
      'LOAD_OUTPUT_NOT_WRITABLE',
      `the output file is not complete: ${cause.message}`,
      { cause },
    );
  }

  #define(metric: Metric): void {
    this.#defined.add(metric);
    const subMetrics = metric.subMetrics.map((sub) => ({
      name: sub.selector,
      suffix: sub.selector.slice(metric.name.length + 1, -1),
      tags: sub.tags,
    }));
    const data = {
      name: metric.name,
      type: metric.type,
      contains: metric.contains,
      thresholds: metric.thresholds.map((threshold) => threshold.source),
      submetrics: subMetrics.length > 0 ? subMetrics : null,
    };
    this.#buffer += `${JSON.stringify({ type: 'Metric', data, metric: metric.name })}\n`;
  }

  /** RFC 3339 in UTC with microseconds. All samples of one request have one time, so the last one is kept. */
  #time(timeMs: number): string {
    if (timeMs !== this.#lastTimeMs) {
      this.#lastTimeMs = timeMs;
      const microseconds = String(Math.floor((timeMs % 1) * 1000)).padStart(3, '0');
      this.#lastTime = `${new Date(timeMs).toISOString().slice(0, -1)}${microseconds}Z`;
    }
    return this.#lastTime;
  }

  #flush(): void {
    if (this.#buffer === '') return;
    if (this.#failure === undefined) this.#out.write(this.#buffer);
    this.#buffer = '';
  }
}
