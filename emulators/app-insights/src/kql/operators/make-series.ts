import { stateOf } from '../aggregates/aggregate.js';
import type { Budget } from '../budget.js';
import { limitExceeded, runtimeError, unsupported } from '../errors.js';
import { modulo } from '../expressions/arithmetic.js';
import { compileScalar } from '../expressions/compile.js';
import { type Expr, isNumeric, requireConstant } from '../expressions/expression.js';
import { binRounding, type RoundDown } from '../functions/bins.js';
import { MAX_ARRAY_LENGTH } from '../functions/text-size.js';
import { expectParts } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType, Row } from '../types.js';
import { toDynamic } from '../values/text.js';
import { Aggregation, type RunningAggregation } from './aggregation.js';
import { KeyIndex } from './key-index.js';
import { choice, type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import { itemExpression } from './projections.js';
import { positional, type Relation } from './relation.js';
import { keyItems, plainKeyNames } from './summarize.js';

interface Axis {
  readonly expr: Expr;
  readonly step: number;
  readonly from?: number;
  readonly to?: number;
  /** Used for series whose begin is not given. */
  readonly round: RoundDown;
}

/** Number of whole steps from the begin to a value; exact where a rounded quotient would not be. */
function binNumber(value: number, begin: number, step: number): number {
  const distance = value - begin;
  return (distance - modulo(distance, step)) / step;
}

function readAxis({ node, input, scope }: OperatorCall): Axis {
  const on = node.part('OnClause');
  const range = node.part('RangeClause');
  if (range.kind !== 'MakeSeriesFromToStepClause')
    throw unsupported(range, '`in range(...)`; use from ... to ... step');
  const expr = compileScalar(itemExpression(on.part('Expression')), scope.withRow(input));
  const bound = (part: string): number | undefined => {
    const clause = range.optional(part);
    return clause === undefined ? undefined : constantOf(clause.part('Expression'), expr.type, scope);
  };
  const stepNode = range.part('MakeSeriesStepClause').part('Expression');
  const stepType: KqlType = expr.type === 'datetime' ? 'timespan' : expr.type;
  const step = constantOf(stepNode, stepType, scope);
  const round = binRounding(expr.type, stepType);
  if (round === undefined) throw unsupported(on, `make-series on a ${expr.type}`);
  if (!(step > 0)) throw runtimeError(stepNode, `The step is ${step}; it must be above 0`);
  const from = bound('MakeSeriesFromClause');
  const to = bound('MakeSeriesToClause');
  return { expr, step, round, ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
}

function constantOf(node: SyntaxNode, type: KqlType, scope: OperatorCall['scope']): number {
  const expr = compileScalar(node, scope);
  if (expr.type !== type && !(isNumeric(expr.type) && isNumeric(type))) {
    throw unsupported(node, `a ${expr.type} where the axis needs a ${type}`);
  }
  const value = requireConstant(expr, node, 'a bound of make-series');
  if (typeof value === 'number') return value;
  throw runtimeError(node, 'A bound of make-series is null');
}

interface Series {
  readonly expr: Expr;
  readonly absent: unknown;
}

/** Only aggregates with a single numeric result can become series; absent bins get the default, 0 unless given. */
function readSeries(item: SyntaxNode, aggregation: Aggregation, scope: OperatorCall['scope']): Series {
  expectParts(item, ['Expression', 'DefaultExpression']);
  const [expr, ...more] = aggregation.columns(item.part('Expression'));
  if (expr === undefined || more.length > 0 || !isNumeric(expr.type)) {
    throw unsupported(item, `"${item.text}" as a series; it must be one number`);
  }
  const clause = item.optional('DefaultExpression');
  if (clause === undefined) return { expr, absent: 0 };
  const fallback = compileScalar(clause.part('Expression'), scope);
  if (!isNumeric(fallback.type)) throw unsupported(clause, `a default of type ${fallback.type}`);
  return { expr, absent: requireConstant(fallback, clause, 'a default') };
}

/** Aggregated bins of one series. */
class Bins {
  readonly keys: readonly unknown[];
  /** Group numbers of the running aggregation, by bin number. */
  readonly groups = new Map<number, number>();
  /** Value of bin 0. */
  begin: number | undefined;
  last = 0;
  lowest = 0;

  constructor(keys: readonly unknown[], begin: number | undefined) {
    this.keys = keys;
    this.begin = begin;
  }
}

function makeSeries(call: OperatorCall): Relation {
  const { node, input, scope } = call;
  const nonEmpty =
    choice(readParameters(node, ['kind']).get('kind'), ['empty', 'nonempty'] as const, 'empty') ===
    'nonempty';
  const items = keyItems(node);
  const rowScope = scope.withRow(input);
  const keys = items.map((item) => compileScalar(itemExpression(item), rowScope));
  const aggregation = new Aggregation(input, scope, plainKeyNames(items));
  const series = node.list('Aggregates').map((item) => readSeries(item, aggregation, scope));
  const axis = readAxis(call);
  const columns = (node.columns ?? []).map((c, i) => ({
    name: c.name,
    type: keys[i]?.type ?? ('dynamic' as const),
  }));
  if (columns.length !== keys.length + series.length + 1) throw unsupported(node, 'this form of make-series');
  const { budget } = scope.session;
  return positional(columns, (push) => {
    const running = aggregation.start(budget);
    const found = collectBins(call, { keys, axis, running });
    if (found.length === 0 && nonEmpty && keys.length === 0) found.push(new Bins([], axis.from));
    for (const bins of found) {
      budget.tick();
      if (!push([...bins.keys, ...arrays(bins, { series, axis, running, node, budget })])) return;
    }
  });
}

function collectBins(
  { input, scope }: OperatorCall,
  { keys, axis, running }: { keys: readonly Expr[]; axis: Axis; running: RunningAggregation },
): Bins[] {
  const { budget } = scope.session;
  const index = new KeyIndex(keys, budget);
  const found: Bins[] = [];
  let groups = 0;
  const { from = -Infinity, to = Infinity, step } = axis;
  input.run((row: Row) => {
    const value = axis.expr.read(row) as number | null;
    if (value === null || !(value >= from && value < to)) return true;
    const at = index.insert(row);
    const bins = stateOf(found, at, () => new Bins(index.values(at), axis.from));
    bins.begin ??= axis.round(value, step) ?? 0;
    const number = binNumber(value, bins.begin, step);
    let group = bins.groups.get(number);
    if (group === undefined) {
      group = groups;
      groups += 1;
      budget.hold(80);
      bins.groups.set(number, group);
      bins.last = Math.max(bins.last, number);
      bins.lowest = Math.min(bins.lowest, number);
    }
    running.add(group, row);
    return true;
  });
  return found;
}

interface SeriesOutput {
  readonly series: readonly Series[];
  readonly axis: Axis;
  readonly running: RunningAggregation;
  readonly node: SyntaxNode;
  readonly budget: Budget;
}

/** One array per series, then the axis. */
function arrays(bins: Bins, { series, axis, running, node, budget }: SeriesOutput): unknown[][] {
  const begin = bins.begin ?? 0;
  const first = axis.from === undefined ? bins.lowest : 0;
  const end = axis.to === undefined ? bins.last + 1 : Math.ceil((axis.to - begin) / axis.step);
  const length = bins.begin === undefined ? 0 : Math.max(0, end - first);
  if (length > MAX_ARRAY_LENGTH) {
    throw limitExceeded(
      node,
      `A series would have ${length} elements; at most ${MAX_ARRAY_LENGTH} are allowed`,
    );
  }
  const numbers = Array.from({ length }, (_, i) => first + i);
  const slots = numbers.map((n) => {
    budget.tick();
    const group = bins.groups.get(n);
    return group === undefined ? undefined : running.slots(group);
  });
  const pack = toDynamic(axis.expr.type);
  const packReal = toDynamic('real');
  return [
    ...series.map(({ expr, absent }) =>
      slots.map((s) => (s === undefined ? absent : packReal(expr.read(s)))),
    ),
    numbers.map((n) => pack(begin + n * axis.step)),
  ];
}

export const MAKE_SERIES: Readonly<Record<string, TabularOperator>> = {
  MakeSeriesOperator: {
    name: 'make-series',
    syntax:
      'make-series [kind = nonempty] [name =] aggregation [default = value], ... on axis [from start] [to end] step size [by expression, ...]',
    note:
      'Bins count from `from`; without it, each series begins at bin() of its first value. `to` is not included; without it, each series ends ' +
      'with its last value. The form `in range(...)` is refused.',
    parts: ['Parameters', 'Aggregates', 'OnClause', 'RangeClause', 'ByClause'],
    compile: makeSeries,
  },
};
