import { createAccumulator } from './aggregates.js';
import type { Call, Expression, Query } from './ast.js';
import type { Environment, Evaluator, RowSource } from './environment.js';
import { compileExpression, construct } from './expressions.js';
import type { AggregateName } from './functions/registry.js';
import { isGrouped } from './grouping.js';
import { printExpression } from './printer.js';
import type { Scope } from './scope.js';
import { compileSources } from './sources.js';
import { children, isAggregateCall, projectedExpressions } from './traversal.js';
import type { Value } from './values.js';
import { canonicalKey, compareForSort } from './values.js';

export interface CompiledSelect {
  /** Results in order, before TOP, OFFSET and LIMIT. */
  rows(environment: Environment): Iterable<Value>;
}

/**
 * Compiles one query level: inputs, filter, grouping or sorting, projection, DISTINCT.
 *
 * @param isRoot the query itself; a subquery runs on the names around it.
 */
export function compileSelect(query: Query, scope: Scope, isRoot = false): CompiledSelect {
  const { rows, star } = compileSources(query, scope, isRoot);
  const project = (projectionScope: Scope) => compileProjection(query, projectionScope, star);
  const results = isGrouped(query)
    ? group(query, scope, rows, project)
    : query.orderBy.length > 0
      ? sort(query, scope, rows, project(scope))
      : stream(rows, project(scope));
  return { rows: query.distinct ? distinct(results) : results };
}

type Results = CompiledSelect['rows'];

function compileProjection({ projection }: Query, scope: Scope, star: Evaluator): Evaluator {
  switch (projection.kind) {
    case 'star':
      return star;
    case 'value':
      return compileExpression(projection.expression, scope);
    case 'list':
      return construct(
        projection.items.map(({ name, expression }) => [name, compileExpression(expression, scope)] as const),
      );
  }
}

function stream(rows: RowSource, project: Evaluator): Results {
  return function* streamed(environment) {
    for (const _row of rows(environment)) {
      const value = project(environment);
      if (value !== undefined) yield value;
    }
  };
}

function distinct(results: Results): Results {
  return function* distinctResults(environment) {
    const seen = new Set<string>();
    for (const value of results(environment)) {
      const key = canonicalKey(value);
      if (seen.has(key)) continue;
      seen.add(key);
      yield value;
    }
  };
}

/**
 * Rows without the sort property are left out of a one-key sort and kept in a sort by several keys: with the default
 * indexing policy the service cannot find them in the first case, and a composite index holds them in the second.
 * Rows that tie keep document order, reversed if any key descends: the SDK resumes from that order.
 */
function sort({ orderBy }: Query, scope: Scope, rows: RowSource, project: Evaluator): Results {
  const keys = orderBy.map((item) => compileExpression(item.expression, scope));
  const signs = orderBy.map((item) => (item.descending ? -1 : 1));
  const isReversed = orderBy.some((item) => item.descending);
  return (environment) => {
    const sorted: { readonly keys: Value[]; readonly value: Value }[] = [];
    for (const _row of rows(environment)) {
      const row = { keys: keys.map((key) => key(environment)), value: project(environment) };
      const isIndexed = row.keys.length > 1 || row.keys[0] !== undefined;
      if (isIndexed && row.value !== undefined) sorted.push(row);
    }
    if (isReversed) sorted.reverse();
    sorted.sort((left, right) => {
      for (let index = 0; index < signs.length; index++) {
        const compared = compareForSort(left.keys[index], right.keys[index]);
        if (compared !== 0) return compared * (signs[index] ?? 1);
      }
      return 0;
    });
    return sorted.map((row) => row.value);
  };
}

interface Aggregation {
  readonly name: AggregateName;
  readonly argument: Evaluator;
  readonly slot: number;
}

/** Without GROUP BY there is one group, even over no rows. */
function group(query: Query, scope: Scope, rows: RowSource, project: (scope: Scope) => Evaluator): Results {
  const held = new Map<string, number>();
  const keys = query.groupBy.map((expression) => {
    const slot = scope.allocate();
    held.set(printExpression(expression), slot);
    return { evaluate: compileExpression(expression, scope), slot };
  });
  const aggregations = collectAggregations(query, scope, held);
  const projectGroup = project(scope.withHeld(held));
  const open = (values: Value[]) => ({
    values,
    accumulators: aggregations.map(({ name }) => createAccumulator(name)),
  });
  return function* grouped(environment) {
    const groups = new Map<string, ReturnType<typeof open>>();
    if (keys.length === 0) groups.set('', open([]));
    for (const _row of rows(environment)) {
      const values = keys.map((key) => key.evaluate(environment));
      const id = values.map(canonicalKey).join();
      let state = groups.get(id);
      if (state === undefined) {
        state = open(values);
        groups.set(id, state);
      }
      for (const [index, accumulator] of state.accumulators.entries()) {
        accumulator.add(aggregations[index]?.argument(environment));
      }
    }
    for (const { values, accumulators } of groups.values()) {
      for (const [index, key] of keys.entries()) environment.slots[key.slot] = values[index];
      for (const [index, { slot }] of aggregations.entries()) {
        environment.slots[slot] = accumulators[index]?.result();
      }
      const value = projectGroup(environment);
      if (value !== undefined) yield value;
    }
  };
}

/** Equal aggregates share one accumulator. */
function collectAggregations(query: Query, scope: Scope, held: Map<string, number>): Aggregation[] {
  const aggregations: Aggregation[] = [];
  const visit = (expression: Expression): void => {
    if (held.has(printExpression(expression))) return;
    if (!isAggregateCall(expression)) {
      for (const child of children(expression)) visit(child);
      return;
    }
    const slot = scope.allocate();
    held.set(printExpression(expression), slot);
    const { name, args } = expression as Call & { name: AggregateName };
    aggregations.push({ name, argument: compileExpression(args[0] as Expression, scope), slot });
  };
  for (const expression of projectedExpressions(query.projection)) visit(expression);
  return aggregations;
}
