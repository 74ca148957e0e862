import { readFileSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What scripts read with `open()`: relative to the script, each file once for all virtual users. */
export class ScriptFiles {
  readonly #directory: string;
  readonly #contents = new Map<string, Buffer>();
  /** False once the script has been evaluated for its options: virtual users may only open what was opened then. */
  growing = true;

  constructor(directory: string) {
    this.#directory = directory;
  }

  open(path: string, mode?: string): string | ArrayBuffer {
    const local = path.startsWith('file://') ? fileURLToPath(path) : path;
    const absolute = isAbsolute(local) ? local : resolve(this.#directory, local);
    const bytes = this.#contents.get(absolute) ?? this.#read(absolute, path);
    if (mode !== 'b') return bytes.toString('utf8');
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }

  #read(absolute: string, asWritten: string): Buffer {
    if (!this.growing) {
      throw new Error(
        `open('${asWritten}'): only files that are opened for every virtual user can be opened`,
      );
    }
    try {
      const bytes = readFileSync(absolute);
      this.#contents.set(absolute, bytes);
      return bytes;
    } catch (cause) {
      throw new Error(`open('${asWritten}'): ${(cause as Error).message}`, { cause });
    }
  }
}
