import type { Expression, Query } from './ast.js';
import type { Environment, Evaluator } from './environment.js';
import { compileExpression } from './expressions.js';
import type { Scope } from './scope.js';
import { propertyPath } from './traversal.js';
import type { Value } from './values.js';
import { isPrimitive } from './values.js';

export interface EqualityFilter {
  /** Property names from the document down. */
  readonly path: readonly string[];
  /** Primitives only; none: nothing can match. */
  readonly values: readonly unknown[];
}

/** Resolves to null if the parameters make the filter useless for an index (an object or array among the values). */
export type EqualityTemplate = (environment: Environment) => EqualityFilter | null;

/** Top-level AND-ed `path = constant` and `path IN (constants)` on the document. */
export function compileEqualityFilters(query: Query, scope: Scope): EqualityTemplate[] {
  const root = query.sources[0];
  if (query.where === null || root === undefined || root.collection.kind !== 'identifier') return [];
  const templates: EqualityTemplate[] = [];
  for (const conjunct of conjunctsOf(query.where)) {
    const template = compileConjunct(conjunct, root.alias ?? '', scope);
    if (template) templates.push(template);
  }
  return templates;
}

function conjunctsOf(expression: Expression): Expression[] {
  if (expression.kind !== 'logical' || expression.operator !== 'and') return [expression];
  return expression.operands.flatMap(conjunctsOf);
}

function compileConjunct(expression: Expression, rootAlias: string, scope: Scope): EqualityTemplate | null {
  if (expression.kind === 'binary' && expression.operator === '=') {
    const { left, right } = expression;
    return (
      compilePinned(left, [right], { rootAlias, scope }) ?? compilePinned(right, [left], { rootAlias, scope })
    );
  }
  if (expression.kind === 'in' && !expression.negated) {
    return compilePinned(expression.operand, expression.items, { rootAlias, scope });
  }
  return null;
}

function compilePinned(
  pathExpression: Expression,
  constants: readonly Expression[],
  { rootAlias, scope }: { rootAlias: string; scope: Scope },
): EqualityTemplate | null {
  const path = propertyPath(pathExpression);
  if (path?.alias !== rootAlias || path.path.length === 0 || !constants.every(isConstant)) return null;
  const evaluators = constants.map((constant) => compileExpression(constant, scope));
  return (environment) => resolve(path.path, evaluators, environment);
}

function isConstant(expression: Expression): boolean {
  if (expression.kind === 'unary') return isConstant(expression.operand);
  return expression.kind === 'literal' || expression.kind === 'parameter';
}

function resolve(
  path: readonly string[],
  evaluators: readonly Evaluator[],
  environment: Environment,
): EqualityFilter | null {
  const values = new Set<Value>();
  for (const evaluate of evaluators) {
    const value = evaluate(environment);
    if (value === undefined) continue;
    if (!isPrimitive(value)) return null;
    values.add(value);
  }
  return { path, values: [...values] };
}
