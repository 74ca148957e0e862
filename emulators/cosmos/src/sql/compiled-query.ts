import type { Query } from './ast.js';
import type { Environment } from './environment.js';
import type { EqualityFilter } from './filters.js';
import type { Surroundings } from './functions/definition.js';
import type { QueryParameter, RowWindow, Template } from './template.js';
import { bindParameters, resolveWindow, templateOf } from './template.js';
import type { Value } from './values.js';

export interface CompiledQuery {
  /**
   * Top-level AND-ed equality and IN conjuncts on the container's alias, usable with an index. The values are primitives;
   * no values: nothing can match. The whole WHERE is evaluated by `run` whatever an index left out.
   */
  readonly equalityFilters: readonly EqualityFilter[];
  /**
   * True when every document can be answered on its own (filters, projections): a page may stop after any result. With a
   * JOIN one document may give several results.
   */
  readonly streaming: boolean;
  /**
   * Runs over documents of one physical partition, possibly narrowed by an index. Lazy where `streaming`, and for TOP.
   *
   * @throws {SqlError} while iterating, for what only the data shows, such as a scalar subquery with two rows.
   */
  run(documents: Iterable<Record<string, unknown>>): Iterable<unknown>;
}

export interface CompileOptions {
  /** Milliseconds since the Unix epoch, for GetCurrentDateTime and its kin. */
  readonly now?: () => number;
  /** In [0, 1), for RAND. */
  readonly random?: () => number;
}

/**
 * Binds parameters to a parsed query. The compilation itself happens once per `Query` object.
 *
 * @throws {SqlError} PARAMETER
 */
export function compileQuery(
  query: Query,
  parameters: readonly QueryParameter[],
  options: CompileOptions = {},
): CompiledQuery {
  return new BoundQuery(templateOf(query), parameters, options);
}

class BoundQuery implements CompiledQuery {
  readonly equalityFilters: readonly EqualityFilter[];
  readonly streaming: boolean;
  readonly #template: Template;
  readonly #parameters: readonly Value[];
  readonly #window: RowWindow;
  readonly #options: CompileOptions;

  constructor(template: Template, parameters: readonly QueryParameter[], options: CompileOptions) {
    this.#template = template;
    this.#parameters = bindParameters(template, parameters);
    this.#window = resolveWindow(template, this.#parameters);
    this.#options = options;
    this.streaming = template.streaming;
    this.equalityFilters = resolveEqualities(template, this.#parameters);
  }

  run(documents: Iterable<Record<string, unknown>>): Iterable<unknown> {
    const environment: Environment = {
      slots: new Array<Value>(this.#template.slotCount),
      parameters: this.#parameters,
      surroundings: surroundings(this.#options),
      documents,
    };
    return limit(this.#template.rows(environment), this.#window);
  }
}

function surroundings({ now = Date.now, random = Math.random }: CompileOptions): Surroundings {
  return { now, random, startedAt: now() };
}

/** The equality filters of a query under bound parameters. */
export function resolveEqualities(template: Template, parameters: readonly Value[]): EqualityFilter[] {
  const environment = { slots: [], parameters, surroundings: surroundings({}), documents: [] };
  const filters: EqualityFilter[] = [];
  for (const resolve of template.equalities) {
    const filter = resolve(environment);
    if (filter) filters.push(filter);
  }
  return filters;
}

function limit(rows: Iterable<Value>, { top, offset, limit: count }: RowWindow): Iterable<Value> {
  const most = top ?? count;
  return most === null ? rows : take(rows, offset ?? 0, most);
}

function* take(rows: Iterable<Value>, skip: number, most: number): Iterable<Value> {
  if (most === 0) return;
  let skipped = 0;
  let taken = 0;
  for (const row of rows) {
    if (skipped < skip) {
      skipped++;
      continue;
    }
    yield row;
    if (++taken === most) return;
  }
}
