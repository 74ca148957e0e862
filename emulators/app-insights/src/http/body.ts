import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { EmulatorError } from '../errors.js';

const DECODERS = {
  gzip: promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

export interface BodyLimits {
  /** Bytes after decompression. */
  maxBodyBytes: number;
  /** Bytes over all requests that are being read. */
  maxPendingBytes: number;
}

/** Reads request bodies, each of them and all together bounded. */
export class BodyReader {
  readonly #limits: BodyLimits;
  #pendingBytes = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Runs `use` with the decompressed body and holds its bytes against the common limit until `use` has ended. */
  async with<T>(request: IncomingMessage, use: (body: Buffer) => Promise<T> | T): Promise<T> {
    const held = { bytes: 0 };
    try {
      const raw = await this.#read(request, held);
      const body = await this.#decoded(raw, request.headers['content-encoding']);
      this.#hold(held, body.length - raw.length);
      return await use(body);
    } finally {
      this.#pendingBytes -= held.bytes;
    }
  }

  async #read(request: IncomingMessage, held: { bytes: number }): Promise<Buffer> {
    const announced = Number(request.headers['content-length'] ?? 0);
    if (announced > this.#limits.maxBodyBytes) throw this.#tooLarge(announced);
    const chunks: Buffer[] = [];
    let size = 0;
    // Leaving the loop must not destroy the request: its sender has to get the answer.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > this.#limits.maxBodyBytes) throw this.#tooLarge(size);
      this.#hold(held, chunk.length);
      chunks.push(chunk);
    }
    return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, size);
  }

  #hold(held: { bytes: number }, bytes: number): void {
    if (bytes > 0 && this.#pendingBytes + bytes > this.#limits.maxPendingBytes) {
      throw new EmulatorError('OVERLOADED', undefined, { retryAfterSeconds: 1 });
    }
    held.bytes += bytes;
    this.#pendingBytes += bytes;
  }

  async #decoded(raw: Buffer, encoding: string | undefined): Promise<Buffer> {
    if (encoding === undefined || encoding === '' || encoding === 'identity') return raw;
    const decode = Object.hasOwn(DECODERS, encoding)
      ? DECODERS[encoding as keyof typeof DECODERS]
      : undefined;
    if (decode === undefined) {
      throw new EmulatorError(
        'UNSUPPORTED_MEDIA',
        `content-encoding ${JSON.stringify(encoding)}; known are ${Object.keys(DECODERS).join(', ')}`,
      );
    }
    try {
      return await decode(raw, { maxOutputLength: this.#limits.maxBodyBytes });
    } catch (cause) {
      const { code, message } = cause as NodeJS.ErrnoException;
      if (code === 'ERR_BUFFER_TOO_LARGE') throw this.#tooLarge(undefined, { cause });
      throw new EmulatorError('BAD_COMPRESSION', message, { cause });
    }
  }

  #tooLarge(size: number | undefined, options: ErrorOptions = {}): EmulatorError {
    const actual = size === undefined ? '' : `${size} bytes, `;
    return new EmulatorError(
      'BODY_TOO_LARGE',
      `${actual}at most ${this.#limits.maxBodyBytes} bytes are allowed after decompression`,
      options,
    );
  }
}
