import { type FileHandle, open } from 'node:fs/promises';
import { StringDecoder } from 'node:string_decoder';

const CHUNK_BYTES = 262_144;

/** Reads the lines that another process appends to a file. */
export class LineTail {
  readonly #path: string;
  readonly #buffer = Buffer.alloc(CHUNK_BYTES);
  readonly #decoder = new StringDecoder('utf8');
  #file: FileHandle | undefined;
  #position = 0;
  #rest = '';

  constructor(path: string) {
    this.#path = path;
  }

  /** Hands over each complete line that has come since the last call. A file that is not there yet has none. */
  async read(onLine: (line: string) => void): Promise<void> {
    this.#file ??= await open(this.#path, 'r').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (this.#file === undefined) return;
    for (;;) {
      const { bytesRead } = await this.#file.read(this.#buffer, 0, CHUNK_BYTES, this.#position);
      if (bytesRead === 0) return;
      this.#position += bytesRead;
      const lines = (this.#rest + this.#decoder.write(this.#buffer.subarray(0, bytesRead))).split('\n');
      this.#rest = lines.pop() ?? '';
      for (const line of lines) if (line !== '') onLine(line);
    }
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}
