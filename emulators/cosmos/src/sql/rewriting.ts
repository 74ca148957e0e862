import type { Call, Expression, Query } from './ast.js';
import { isGrouped } from './grouping.js';
import { joinClauses, printClauses, printExpression, printProjection, printTop } from './printer.js';
import { isAggregateCall } from './traversal.js';

/** SDKs put `true`, or the filter that resumes a sorted query, in its place. */
const FILTER_PLACEHOLDER = '({documentdb-formattableorderbyquery-filter})';

/**
 * The query that SDKs send to each partition instead of the original, in the form of the service's own query plans: sorted
 * rows carry their sort keys, aggregates are partial ones, OFFSET is left to the client. Empty: the original will do.
 */
export function rewriteQuery(query: Query, window: { offset: number | null; limit: number | null }): string {
  const clauses = printClauses(query);
  if (isGrouped(query)) {
    return joinClauses({
      ...clauses,
      select: `SELECT ${groupedProjection(query)}`,
      orderBy: '',
      offsetLimit: '',
    });
  }
  const offsetLimit = window.offset === null ? '' : `OFFSET 0 LIMIT ${window.offset + (window.limit ?? 0)}`;
  if (query.orderBy.length > 0) {
    const where = `WHERE ${sortedFilter(query)}`;
    const select = `SELECT ${query.distinct ? '' : printTop(query)}${sortedProjection(query)}`;
    return joinClauses({ ...clauses, select, where, offsetLimit: query.distinct ? '' : offsetLimit });
  }
  if (query.distinct) {
    const isWindowed = query.top !== null || query.offset !== null;
    const select = `SELECT DISTINCT ${printProjection(query)}`;
    return isWindowed ? joinClauses({ ...clauses, select, offsetLimit: '' }) : '';
  }
  return query.offset ? joinClauses({ ...clauses, offsetLimit }) : '';
}

function sortedFilter({ where, projection }: Query): string {
  const filter = where ? `(${printExpression(where)} AND ${FILTER_PLACEHOLDER})` : FILTER_PLACEHOLDER;
  return projection.kind === 'value'
    ? `(${filter} AND IS_DEFINED(${printExpression(projection.expression)}))`
    : filter;
}

function sortedProjection(query: Query): string {
  const alias = query.sources[0]?.alias ?? '';
  const keys = query.orderBy.map(({ expression }) => `{"item": ${printExpression(expression)}}`);
  return `${alias}._rid, [${keys.join(', ')}] AS orderByItems, ${payload(query)} AS payload`;
}

function payload(query: Query): string {
  const { projection } = query;
  switch (projection.kind) {
    case 'star':
      return query.sources[0]?.alias ?? '';
    case 'value':
      return printExpression(projection.expression);
    case 'list':
      return printObject(projection.items.map(({ name, expression }) => [name, printExpression(expression)]));
  }
}

function printObject(properties: readonly (readonly [string, string])[]): string {
  return `{${properties.map(([name, value]) => `${JSON.stringify(name)}: ${value}`).join(', ')}}`;
}

function groupedProjection(query: Query): string {
  const { projection, groupBy } = query;
  const keys = groupBy.map((expression) => `{"item": ${printExpression(expression)}}`);
  const prefix = groupBy.length > 0 ? `[${keys.join(', ')}] AS groupByItems, ` : '';
  if (projection.kind === 'value') {
    const { expression } = projection;
    const value = isAggregateCall(expression) ? `[${partial(expression)}]` : printExpression(expression);
    return groupBy.length > 0 ? `${prefix}${value} AS payload` : `VALUE ${value}`;
  }
  const items = projection.kind === 'list' ? projection.items : [];
  const properties = items.map(({ name, expression }) => [name, partialOrPlain(expression)] as const);
  return `${prefix}${printObject(properties)} AS payload`;
}

function partialOrPlain(expression: Expression): string {
  return isAggregateCall(expression) ? partial(expression) : printExpression(expression);
}

/**
 * A partition's share of an aggregate. An average travels as sum and count; a minimum with the count of values, so that
 * a partition without any can be told from one with undefined values.
 */
function partial({ name, args }: Call): string {
  const argument = args.map(printExpression).join(', ');
  const call = `${name}(${argument})`;
  switch (name) {
    case 'AVG':
      return `{"item": {"sum": SUM(${argument}), "count": COUNT(${argument})}}`;
    case 'MIN':
    case 'MAX':
      return `{"item": ${call}, "item2": {"${name.toLowerCase()}": ${call}, "count": COUNT(${argument})}}`;
    default:
      return `{"item": ${call}}`;
  }
}
