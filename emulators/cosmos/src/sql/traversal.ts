import type { Call, Expression, Subquery } from './ast.js';
import { isAggregate } from './functions/registry.js';

/** The direct sub-expressions; the inside of a subquery is a query of its own and not among them. */
export function children(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'property':
      return [expression.object];
    case 'index':
      return [expression.object, expression.index];
    case 'unary':
      return [expression.operand];
    case 'binary':
      return [expression.left, expression.right];
    case 'logical':
      return expression.operands;
    case 'conditional':
      return [expression.condition, expression.whenTrue, expression.whenFalse];
    case 'in':
      return [expression.operand, ...expression.items];
    case 'between':
      return [expression.operand, expression.low, expression.high];
    case 'like':
      return [expression.operand, expression.pattern];
    case 'call':
      return expression.args;
    case 'object':
      return expression.properties.map((property) => property.value);
    case 'array':
      return expression.items;
    default:
      return [];
  }
}

export function isAggregateCall(expression: Expression): expression is Call {
  return expression.kind === 'call' && isAggregate(expression.name);
}

function find<T extends Expression>(
  expression: Expression,
  matches: (candidate: Expression) => candidate is T,
): T | undefined {
  if (matches(expression)) return expression;
  for (const child of children(expression)) {
    const found = find(child, matches);
    if (found) return found;
  }
  return undefined;
}

/** The first aggregate of this query level inside the expression. */
export function findAggregate(expression: Expression): Call | undefined {
  return find(expression, isAggregateCall);
}

export function findSubquery(expression: Expression): Subquery | undefined {
  return find(expression, (candidate): candidate is Subquery => candidate.kind === 'subquery');
}

export function projectedExpressions(projection: {
  readonly kind: string;
  readonly expression?: Expression;
  readonly items?: readonly { readonly expression: Expression }[];
}): readonly Expression[] {
  if (projection.expression) return [projection.expression];
  return projection.items?.map((item) => item.expression) ?? [];
}

/** The identifier and property names of `alias.a["b"]`; null for any other expression. */
export function propertyPath(expression: Expression): { alias: string; path: string[] } | null {
  const path: string[] = [];
  let current = expression;
  while (current.kind === 'property') {
    path.unshift(current.name);
    current = current.object;
  }
  return current.kind === 'identifier' ? { alias: current.name, path } : null;
}
