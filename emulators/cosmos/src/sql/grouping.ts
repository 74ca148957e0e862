import type { Expression, Query } from './ast.js';
import { SqlError } from './errors.js';
import { printExpression } from './printer.js';
import { children, findAggregate, isAggregateCall, projectedExpressions } from './traversal.js';

/** True if the query collapses rows: an aggregate in its projection, or GROUP BY. */
export function isGrouped(query: Query): boolean {
  return (
    query.groupBy.length > 0 || projectedExpressions(query.projection).some((item) => findAggregate(item))
  );
}

/** In a grouped query, everything projected must be an aggregate, a grouping expression, or built of them. */
export function checkGrouping(query: Query): void {
  if (!isGrouped(query)) return;
  const keys = new Set(query.groupBy.map(printExpression));
  for (const expression of projectedExpressions(query.projection)) checkItem(expression, keys, query.text);
}

function checkItem(expression: Expression, keys: ReadonlySet<string>, text: string): void {
  if (isAggregateCall(expression) || keys.has(printExpression(expression))) return;
  if (expression.kind === 'identifier' || expression.kind === 'property' || expression.kind === 'subquery') {
    const what = expression.kind === 'subquery' ? 'Subquery' : 'Property reference';
    const message = `${what} '${printExpression(expression)}' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause`;
    throw new SqlError({ code: 'INVALID', message, text, span: expression.span });
  }
  for (const child of children(expression)) checkItem(child, keys, text);
}
