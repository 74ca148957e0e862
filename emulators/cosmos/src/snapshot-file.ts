import { readFile, rename, writeFile } from 'node:fs/promises';
import { ConfigurationError } from './config.js';
import type { Account } from './store/account.js';
import { loadSnapshot, parseSnapshot, takeSnapshot } from './store/snapshot.js';

/** What an account stores, kept from one run to the next. */
export class SnapshotFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** A file that does not exist is no error: it will be written at the end. */
  async load(account: Account): Promise<void> {
    let text: string;
    try {
      text = await readFile(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
      throw new ConfigurationError([`snapshot: ${this.#path} cannot be read: ${(error as Error).message}`]);
    }
    try {
      loadSnapshot(account, parseSnapshot(JSON.parse(text)));
    } catch (error) {
      throw new ConfigurationError([`snapshot: ${this.#path}: ${(error as Error).message}`]);
    }
  }

  /** Written beside the old one and then put in its place, so that there is always a whole one. */
  async save(account: Account): Promise<void> {
    const temporary = `${this.#path}.${process.pid}.tmp`;
    await writeFile(temporary, JSON.stringify(takeSnapshot(account)));
    await rename(temporary, this.#path);
  }
}
