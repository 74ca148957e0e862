import { analyze } from './analysis.js';
import type { Query } from './ast.js';
import { parseSyntax } from './parser.js';

/** Parses and checks a query. @throws {SqlError} */
export function parseQuery(text: string): Query {
  const query = parseSyntax(text);
  analyze(query);
  return query;
}

/** The least recently used query goes first. Queries that fail are not kept. */
export class QueryCache {
  readonly #capacity: number;
  readonly #queries = new Map<string, Query>();

  /** @param options.capacity number of queries kept, at least 1; default 1,000 */
  constructor({ capacity = 1000 }: { capacity?: number } = {}) {
    if (!Number.isInteger(capacity) || capacity < 1) {
      throw new RangeError(`capacity must be an integer of at least 1, not ${capacity}`);
    }
    this.#capacity = capacity;
  }

  /** @throws {SqlError} */
  parse(text: string): Query {
    const query = this.#queries.get(text) ?? parseQuery(text);
    this.#queries.delete(text);
    this.#queries.set(text, query);
    if (this.#queries.size > this.#capacity) {
      const [oldest] = this.#queries.keys();
      this.#queries.delete(oldest as string);
    }
    return query;
  }
}
