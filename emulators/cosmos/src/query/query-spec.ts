import { CosmosError } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import { assertNesting } from '../http/nesting.js';
import {
  type CompiledQuery,
  compileQuery,
  describeQuery,
  type Query,
  type QueryCache,
  type QueryDescription,
  type QueryParameter,
} from '../sql/index.js';
import { translated } from './sql-errors.js';

/** A query with its parameters, parsed. */
export class QuerySpec {
  readonly #query: Query;
  readonly #parameters: readonly QueryParameter[];

  constructor(query: Query, parameters: readonly QueryParameter[]) {
    this.#query = query;
    this.#parameters = parameters;
  }

  compile(): CompiledQuery {
    return translated(() => compileQuery(this.#query, this.#parameters));
  }

  describe(partitionKeyPaths: readonly string[]): QueryDescription {
    return translated(() => describeQuery(this.#query, this.#parameters, partitionKeyPaths));
  }

  /** Reads `{"query", "parameters"}` from the request's body. */
  static of(exchange: Exchange, cache: QueryCache): QuerySpec {
    const { query, parameters = [] } = exchange.jsonObject();
    if (typeof query !== 'string') {
      throw new CosmosError(
        'badRequest',
        `query has to be the text of a query, not ${JSON.stringify(query)}.`,
      );
    }
    if (!Array.isArray(parameters) || !parameters.every(isParameter)) {
      throw new CosmosError('badRequest', 'parameters has to be an array of {"name": "@...", "value": ...}.');
    }
    for (const { name, value } of parameters) assertNesting(value, `Parameter ${name}`);
    return translated(() => new QuerySpec(cache.parse(query), parameters));
  }
}

function isParameter(value: unknown): value is QueryParameter {
  if (typeof value !== 'object' || value === null) return false;
  const { name } = value as { name?: unknown };
  return typeof name === 'string' && name.startsWith('@');
}
