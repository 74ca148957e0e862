import type { Query } from './ast.js';
import type { Environment } from './environment.js';
import type { Span } from './errors.js';
import { SqlError } from './errors.js';
import type { EqualityTemplate } from './filters.js';
import { compileEqualityFilters } from './filters.js';
import { isGrouped } from './grouping.js';
import { MAX_ROW_COUNT, MAX_VALUE_NESTING } from './limits.js';
import { Scope } from './scope.js';
import { compileSelect } from './select.js';
import type { Value } from './values.js';
import { isNestedTooDeep } from './values.js';

export interface QueryParameter {
  /** With the leading `@`. */
  name: string;
  value: unknown;
}

/** TOP, OFFSET and LIMIT of one execution; null where the query has none. */
export interface RowWindow {
  readonly top: number | null;
  readonly offset: number | null;
  readonly limit: number | null;
}

/** A query compiled once, for any parameters. */
export interface Template {
  readonly query: Query;
  readonly parameters: readonly { readonly name: string; readonly span: Span }[];
  readonly slotCount: number;
  readonly equalities: readonly EqualityTemplate[];
  readonly streaming: boolean;
  rows(environment: Environment): Iterable<Value>;
}

const templates = new WeakMap<Query, Template>();

/** Compiles at the first call for a query and remembers the result as long as the query lives. */
export function templateOf(query: Query): Template {
  let template = templates.get(query);
  if (template === undefined) {
    template = compile(query);
    templates.set(query, template);
  }
  return template;
}

function compile(query: Query): Template {
  const scope = Scope.root(query);
  const { rows } = compileSelect(query, scope, true);
  const equalities = compileEqualityFilters(query, scope);
  for (const count of [query.top, query.offset, query.limit]) {
    if (count?.kind === 'parameter') scope.parameters.indexOf(count.name, count.span);
  }
  return {
    query,
    rows,
    equalities,
    streaming: isStreaming(query),
    parameters: scope.parameters.uses,
    slotCount: scope.slotCount,
  };
}

/** Only filters and projections: no document's answer depends on another document. */
export function isStreaming(query: Query): boolean {
  const hasWindow = query.top !== null || query.offset !== null;
  return !hasWindow && !query.distinct && query.orderBy.length === 0 && !isGrouped(query);
}

/** @throws {SqlError} PARAMETER, for one that is missing, given twice, or nests too deep. */
export function bindParameters(template: Template, given: readonly QueryParameter[]): Value[] {
  const { query, parameters } = template;
  const values = new Map<string, Value>();
  for (const { name, value } of given) {
    if (typeof name !== 'string' || !name.startsWith('@')) {
      throw parameterError(
        query,
        `A parameter's name must be a string that begins with '@', not ${JSON.stringify(name)}`,
      );
    }
    if (values.has(name)) throw parameterError(query, `The parameter ${name} is given twice`);
    if (typeof value === 'object' && isNestedTooDeep(value)) {
      throw parameterError(query, `The parameter ${name} nests more than ${MAX_VALUE_NESTING} levels deep`);
    }
    values.set(name, value);
  }
  return parameters.map(({ name, span }) => {
    if (!values.has(name)) throw parameterError(query, `The parameter ${name} is not given`, span);
    return values.get(name);
  });
}

/** @throws {SqlError} PARAMETER, if a count given as parameter is no integer from 0 to 2,147,483,647. */
export function resolveWindow({ query, parameters }: Template, values: readonly Value[]): RowWindow {
  const resolve = (clause: 'top' | 'offset' | 'limit'): number | null => {
    const count = query[clause];
    if (count === null) return null;
    if (count.kind === 'literal') return count.value as number;
    const index = parameters.findIndex(({ name }) => count.kind === 'parameter' && name === count.name);
    const value = values[index];
    if (Number.isInteger(value) && (value as number) >= 0 && (value as number) <= MAX_ROW_COUNT) {
      return value as number;
    }
    const message = `${clause.toUpperCase()} needs an integer from 0 to ${MAX_ROW_COUNT}, but its parameter is ${JSON.stringify(value)}`;
    throw parameterError(query, message, count.span);
  };
  return { top: resolve('top'), offset: resolve('offset'), limit: resolve('limit') };
}

function parameterError({ text }: Query, message: string, span: Span = { start: 0, end: 0 }): SqlError {
  return new SqlError({ code: 'PARAMETER', message, text, span });
}
