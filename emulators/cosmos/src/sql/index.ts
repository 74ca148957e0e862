import type { Query } from './ast.js';
import { SqlError } from './errors.js';
import type { QueryInfo } from './plan.js';

export type { Query } from './ast.js';
export { SqlError, type SqlErrorCode } from './errors.js';
export type { AggregateType, QueryInfo, SortOrder } from './plan.js';

export interface QueryParameter {
  /** With the leading `@`. */
  name: string;
  value: unknown;
}

export interface CompiledQuery {
  /** Top-level AND-ed equality and IN conjuncts on the root alias, usable with an index. */
  readonly equalityFilters: readonly { path: readonly string[]; values: readonly unknown[] }[];
  /** True when every document can be answered on its own (filters, projections): pages may stop anywhere. */
  readonly streaming: boolean;
  /** Runs over documents of one physical partition (possibly pre-narrowed by an index; the whole WHERE is evaluated). Lazy where streaming. */
  run(documents: Iterable<Record<string, unknown>>): Iterable<unknown>;
}

export interface QueryDescription {
  queryInfo: QueryInfo;
  /** Full partition keys pinned by equality or IN on all partition key paths; null: every partition. */
  partitionKeyValues: readonly (readonly unknown[])[] | null;
  /** Only projections and filters: served page by page with a continuation; anything else is answered 400, substatus 1004, with the plan. */
  servableByGateway: boolean;
}

export function parseQuery(text: string): Query {
  throw new SqlError({
    code: 'UNSUPPORTED',
    message: 'No parser yet',
    text,
    span: { start: 0, end: text.length },
  });
}

export class QueryCache {
  readonly #capacity: number;
  readonly #queries = new Map<string, Query>();

  constructor({ capacity = 1000 }: { capacity?: number } = {}) {
    this.#capacity = capacity;
  }

  parse(text: string): Query {
    const cached = this.#queries.get(text);
    if (cached) {
      this.#queries.delete(text);
      this.#queries.set(text, cached);
      return cached;
    }
    const query = parseQuery(text);
    this.#queries.set(text, query);
    if (this.#queries.size > this.#capacity)
      this.#queries.delete(this.#queries.keys().next().value as string);
    return query;
  }
}

export function compileQuery(query: Query, _parameters: readonly QueryParameter[]): CompiledQuery {
  throw new SqlError({ code: 'UNSUPPORTED', message: 'No compiler yet', text: query.text, span: query.span });
}

export function describeQuery(
  query: Query,
  _parameters: readonly QueryParameter[],
  _partitionKeyPaths: readonly string[],
): QueryDescription {
  throw new SqlError({ code: 'UNSUPPORTED', message: 'No planner yet', text: query.text, span: query.span });
}
