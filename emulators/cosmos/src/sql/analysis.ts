import type { Call, Expression, Query, Source, Subquery } from './ast.js';
import type { Span, SqlErrorCode } from './errors.js';
import { SqlError } from './errors.js';
import { findFunction, isAggregate, reasonForRefusal } from './functions/registry.js';
import { checkGrouping } from './grouping.js';
import { children, findAggregate, findSubquery, projectedExpressions, propertyPath } from './traversal.js';

type Names = ReadonlySet<string>;

/** Checks names, functions and clauses of a parsed query, once, so that compiling cannot fail. */
export function analyze(query: Query): void {
  new Analysis(query.text).checkQuery(query, null);
}

class Analysis {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  /** @param outer the names around a subquery; null for the query itself. */
  checkQuery(query: Query, outer: Names | null): void {
    if (outer !== null) this.#refuseInSubquery(query);
    const names = this.#checkSources(query, outer);
    this.#checkStar(query);
    for (const expression of projectedExpressions(query.projection)) {
      this.#checkExpression(expression, names);
    }
    this.#checkNames(query);
    if (query.where) this.#checkPlain(query.where, names, 'WHERE');
    for (const expression of query.groupBy) this.#checkPlain(expression, names, 'GROUP BY');
    this.#checkOrderBy(query, names);
    if (query.top && query.limit) {
      throw this.#error('INVALID', 'TOP and OFFSET LIMIT cannot be used together', query.top.span);
    }
    checkGrouping(query);
  }

  #refuseInSubquery(query: Query): void {
    const clauses: readonly (readonly [string, Expression | undefined | null])[] = [
      ['TOP', query.top],
      ['ORDER BY', query.orderBy[0]?.expression],
      ['OFFSET LIMIT', query.offset],
    ];
    for (const [clause, expression] of clauses) {
      if (expression) {
        throw this.#error('UNSUPPORTED', `'${clause}' is not supported in subqueries`, expression.span);
      }
    }
  }

  #checkSources(query: Query, outer: Names | null): Set<string> {
    const names = new Set(outer ?? []);
    const own = new Set<string>();
    query.sources.forEach((source, index) => {
      if (index > 0 || outer !== null) this.#checkExpression(source.collection, names);
      else this.#checkContainer(source);
      if (source.alias === null) return;
      if (own.has(source.alias)) {
        throw this.#error('INVALID', `The name '${source.alias}' is bound twice`, source.span);
      }
      own.add(source.alias);
      names.add(source.alias);
    });
    return names;
  }

  #checkContainer({ collection, iterates, span }: Source): void {
    if (collection.kind === 'subquery') {
      const message = 'A subquery as the first FROM input is not supported; only JOIN takes one';
      throw this.#error('UNSUPPORTED', message, collection.span);
    }
    if (iterates && collection.kind === 'identifier') {
      const message = `IN iterates arrays inside documents, not the container: write FROM ${collection.name}, or a path after IN`;
      throw this.#error('UNSUPPORTED', message, span);
    }
  }

  #checkStar({ projection, sources, groupBy }: Query): void {
    if (projection.kind !== 'star') return;
    const problem =
      sources.length === 0
        ? "'SELECT *' is not valid without FROM"
        : sources.length > 1
          ? "'SELECT *' is only valid with a single input set; name the JOIN input to project"
          : groupBy.length > 0
            ? "'SELECT *' is not allowed with GROUP BY"
            : null;
    if (problem) throw this.#error('INVALID', problem, projection.span);
  }

  #checkNames({ projection }: Query): void {
    if (projection.kind !== 'list') return;
    const names = new Set<string>();
    for (const item of projection.items) {
      if (names.has(item.name)) {
        const message = `The property '${item.name}' is projected twice; give one of them another alias`;
        throw this.#error('INVALID', message, item.span);
      }
      names.add(item.name);
    }
  }

  #checkPlain(expression: Expression, names: Names, clause: string): void {
    const aggregate = findAggregate(expression);
    if (aggregate) {
      throw this.#error(
        'INVALID',
        `The aggregate ${aggregate.name} is not allowed in ${clause}`,
        aggregate.span,
      );
    }
    this.#checkExpression(expression, names);
  }

  /** The service sorts by indexed paths of the document, not by computed values or joined inputs. */
  #checkOrderBy({ orderBy, groupBy, sources }: Query, names: Names): void {
    for (const { expression, span } of orderBy) {
      if (groupBy.length > 0)
        throw this.#error('UNSUPPORTED', 'ORDER BY with GROUP BY is not supported', span);
      this.#checkPlain(expression, names, 'ORDER BY');
      const path = propertyPath(expression);
      if (path === null || path.path.length === 0) {
        const message = 'ORDER BY takes property paths such as c.name, not computed values';
        throw this.#error('UNSUPPORTED', message, expression.span);
      }
      const root = sources[0];
      if (path.alias !== root?.alias || root.collection.kind !== 'identifier' || root.iterates) {
        const message = 'ORDER BY over a joined, iterated or nested input is not supported';
        throw this.#error('UNSUPPORTED', message, expression.span);
      }
    }
  }

  #checkExpression(expression: Expression, names: Names): void {
    switch (expression.kind) {
      case 'identifier':
        this.#checkIdentifier(expression.name, expression.span, names);
        break;
      case 'call':
        this.#checkCall(expression);
        break;
      case 'subquery':
        this.#checkSubquery(expression, names);
        break;
    }
    for (const child of children(expression)) this.#checkExpression(child, names);
  }

  #checkIdentifier(name: string, span: Span, names: Names): void {
    if (names.has(name)) return;
    const lower = name.toLowerCase();
    const isConstant = ['true', 'false', 'null', 'undefined'].includes(lower);
    const similar = [...names].find((candidate) => candidate.toLowerCase() === lower);
    const hint = isConstant
      ? `; constants are written in lower case: ${lower}`
      : similar
        ? `; names are case-sensitive, did you mean '${similar}'?`
        : names.size > 0
          ? `; the names here are ${[...names].map((known) => `'${known}'`).join(', ')}`
          : '; the query has no FROM';
    throw this.#error('INVALID', `Identifier '${name}' could not be resolved${hint}`, span);
  }

  #checkCall(call: Call): void {
    if (isAggregate(call.name)) {
      this.#checkAggregate(call);
      return;
    }
    const definition = findFunction(call.name);
    if (definition === undefined) {
      const reason = reasonForRefusal(call.name);
      const written = this.#text.slice(call.nameSpan.start, call.nameSpan.end);
      throw reason
        ? this.#error('UNSUPPORTED', `${reason}: ${written}`, call.nameSpan)
        : this.#error('INVALID', `'${written}' is not a recognized built-in function name`, call.nameSpan);
    }
    const { minArguments: min, maxArguments: max } = definition;
    if (call.args.length < min || call.args.length > max) {
      throw this.#arityError(
        call,
        min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`,
      );
    }
  }

  #checkAggregate(call: Call): void {
    const [argument] = call.args;
    if (call.args.length !== 1 || argument === undefined) throw this.#arityError(call, '1');
    const inner = findAggregate(argument);
    if (inner) {
      const message = `The aggregate ${inner.name} cannot be an argument of the aggregate ${call.name}`;
      throw this.#error('INVALID', message, inner.span);
    }
    const subquery = findSubquery(argument);
    if (subquery) {
      const message = `A subquery in the argument of the aggregate ${call.name} is not supported`;
      throw this.#error('UNSUPPORTED', message, subquery.span);
    }
  }

  #arityError(call: Call, expected: string): SqlError {
    const message = `${call.name} takes ${expected} argument${expected === '1' ? '' : 's'}, not ${call.args.length}`;
    return this.#error('INVALID', message, call.span);
  }

  #checkSubquery({ query }: Subquery, names: Names): void {
    this.checkQuery(query, names);
  }

  #error(code: SqlErrorCode, message: string, span: Span): SqlError {
    return new SqlError({ code, message, text: this.#text, span });
  }
}
