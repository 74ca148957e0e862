import type { Accumulator, Aggregate, AggregateCall } from '../aggregates/aggregate.js';
import { aggregateFunction } from '../aggregates/table.js';
import type { Budget } from '../budget.js';
import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { columnAt, type Expr } from '../expressions/expression.js';
import { argumentNodes } from '../functions/call.js';
import type { Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Row } from '../types.js';
import { itemExpression } from './projections.js';
import type { Relation } from './relation.js';

/** An expression over a result row. */
export interface OutputColumn extends Expr {
  /** The input column it was copied from by `*`, for a check against the analysis. */
  readonly origin?: string;
}

/**
 * The aggregates of one `summarize` or `make-series`: the calls inside its expressions get slots in a result row, and each output column is an
 * expression over that row.
 */
export class Aggregation {
  readonly #input: Relation;
  readonly #scope: Scope;
  readonly #plainKeys: ReadonlySet<string>;
  readonly #aggregates: Aggregate[] = [];
  #slots = 0;

  constructor(input: Relation, scope: Scope, plainKeys: ReadonlySet<string>) {
    this.#input = input;
    this.#scope = scope;
    this.#plainKeys = plainKeys;
  }

  /** Output columns of one item: usually one, several for `percentiles(...)`, `arg_max(...)` and the like. */
  columns(item: SyntaxNode): OutputColumn[] {
    const expression =
      item.kind === 'CompoundNamedExpression' ? item.part('Expression') : itemExpression(item);
    if (expression.kind === 'FunctionCallExpression') {
      const found = this.#call(expression);
      if (found !== undefined) return found;
    }
    const scope = this.#scope.withAggregates((call) => this.#single(call));
    return [compileScalar(expression, scope)];
  }

  #single(call: SyntaxNode): OutputColumn | undefined {
    const columns = this.#call(call);
    if (columns === undefined || columns.length === 1) return columns?.[0];
    throw unsupported(call, `${call.part('Name').text}() with several results inside an expression`);
  }

  #call(node: SyntaxNode): OutputColumn[] | undefined {
    const name = node.part('Name').text;
    const known = aggregateFunction(name);
    if (known === undefined || this.#scope.binding(name) !== undefined) return undefined;
    const aggregate = known.compile(this.#describe(node, name));
    this.#aggregates.push(aggregate);
    return aggregate.types.map((type, i) => {
      const slot = this.#slots;
      this.#slots += 1;
      const origin = aggregate.origins?.[i];
      return { ...columnAt(slot, type), ...(origin === undefined ? {} : { origin }) };
    });
  }

  #describe(node: SyntaxNode, name: string): AggregateCall {
    const columns = this.#input.columns.map((c, i) => ({ name: c.name, expr: this.#input.reads[i] as Expr }));
    return {
      name,
      node,
      argNodes: argumentNodes(node),
      scope: this.#scope.withRow(this.#input),
      input: this.#input,
      starColumns: columns.filter((c) => !this.#plainKeys.has(c.name)),
    };
  }

  start(budget: Budget): RunningAggregation {
    return new RunningAggregation(this.#aggregates.map((a) => a.create(budget)));
  }
}

export class RunningAggregation {
  readonly #accumulators: readonly Accumulator[];
  readonly #first: Accumulator | undefined;

  constructor(accumulators: readonly Accumulator[]) {
    this.#accumulators = accumulators;
    this.#first = accumulators[0];
  }

  add(group: number, row: Row): void {
    const all = this.#accumulators;
    if (all.length === 1) {
      (this.#first as Accumulator).add(group, row);
      return;
    }
    for (let i = 0; i < all.length; i += 1) (all[i] as Accumulator).add(group, row);
  }

  /** Slots of a group, in the order of the calls. */
  slots(group: number): unknown[] {
    return this.#accumulators.flatMap((a) => a.result(group) as unknown[]);
  }
}
