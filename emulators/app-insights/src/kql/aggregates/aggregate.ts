import type { Budget } from '../budget.js';
import { unsupported } from '../errors.js';
import { compileCondition, compileScalar } from '../expressions/compile.js';
import { type Expr, isNumeric } from '../expressions/expression.js';
import type { Relation } from '../operators/relation.js';
import type { Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType, Row } from '../types.js';

/** State of one aggregate over all groups; groups are numbered from 0 as they appear. */
export interface Accumulator {
  add(group: number, row: Row): void;
  /** Values of a group: one per column. A group that never got a row gives the aggregate of nothing. */
  result(group: number): readonly unknown[];
}

export interface Aggregate {
  readonly types: readonly KqlType[];
  /** For columns that `*` brought in: the name of the input column. */
  readonly origins?: readonly (string | undefined)[];
  create(this: void, budget: Budget): Accumulator;
}

/** One call of an aggregate function; arguments are compiled over the input's rows. */
export interface AggregateCall {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly argNodes: readonly SyntaxNode[];
  readonly scope: Scope;
  readonly input: Relation;
  /** What `*` stands for: the input's columns without plain group keys. */
  readonly starColumns: readonly { readonly name: string; readonly expr: Expr }[];
}

export interface AggregateFunction {
  readonly signature: string;
  readonly note?: string;
  compile(this: void, call: AggregateCall): Aggregate;
}

/** A group's state, made when the group gets its first value. */
export function stateOf<T>(states: T[], group: number, create: () => T): T {
  let state = states[group];
  if (state === undefined) {
    state = create();
    states[group] = state;
  }
  return state;
}

export type AggregateTable = Readonly<Record<string, AggregateFunction>>;

export function argument(call: AggregateCall, index: number): Expr {
  const node = call.argNodes[index];
  if (node === undefined) throw unsupported(call.node, `${call.name}() without argument ${index + 1}`);
  return compileScalar(node, call.scope);
}

export function expectArguments(call: AggregateCall, atLeast: number, atMost = atLeast): void {
  const count = call.argNodes.length;
  if (count >= atLeast && count <= atMost) return;
  throw unsupported(call.node, `${call.name}() with ${count} arguments`);
}

/** A number or timespan, the types that can be added up. */
export function summable(call: AggregateCall, index: number): Expr {
  const expr = argument(call, index);
  if (isNumeric(expr.type) || expr.type === 'timespan') return expr;
  throw unsupported(call.argNodes[index] ?? call.node, `${call.name}() of a ${expr.type}`);
}

/** `countif`, `sumif`, ...: only rows whose predicate is true are added. */
export function conditional(call: AggregateCall, index: number, inner: Aggregate): Aggregate {
  const predicate = compileCondition(call.argNodes[index] ?? call.node, call.scope).read;
  return {
    types: inner.types,
    create: (budget) => {
      const accumulator = inner.create(budget);
      return {
        add: (group, row) => {
          if (predicate(row) === true) accumulator.add(group, row);
        },
        result: (group) => accumulator.result(group),
      };
    },
  };
}

/** The same aggregate with and without a predicate as its last required argument. */
export function withPredicate(
  names: { plain: string; conditional: string },
  definition: { args: string; note?: string; compile: (call: AggregateCall) => Aggregate },
): AggregateTable {
  const note = definition.note === undefined ? {} : { note: definition.note };
  return {
    [names.plain]: {
      signature: `${names.plain}(${definition.args})`,
      ...note,
      compile: (call) => {
        expectArguments(call, 1);
        return definition.compile(call);
      },
    },
    [names.conditional]: {
      signature: `${names.conditional}(${definition.args}, predicate: bool)`,
      ...note,
      compile: (call) => {
        expectArguments(call, 2);
        return conditional(call, 1, definition.compile(call));
      },
    },
  };
}
