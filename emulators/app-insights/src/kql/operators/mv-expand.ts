import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { columnAt, type Expr, missing, oncePerRow } from '../expressions/expression.js';
import { typeName } from '../functions/call.js';
import { expectParts } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Column, KqlType, Row } from '../types.js';
import { parseDatetime } from '../values/datetime.js';
import { dynamicText } from '../values/text.js';
import { parseTimespan } from '../values/timespan.js';
import { rowCount } from './filters.js';
import { choice, type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import { itemExpression, itemName } from './projections.js';
import type { Relation } from './relation.js';

interface Expansion {
  readonly name: string;
  readonly source: Expr;
  readonly type: KqlType;
  readonly cast: (value: unknown) => unknown;
}

/** `to typeof(type)`: an element of another kind becomes null. Text is read as datetime, timespan or guid, which JSON has no form for. */
const CASTS: Partial<Record<KqlType, (value: unknown) => unknown>> = {
  dynamic: (v) => v,
  string: (v) => dynamicText(v),
  bool: (v) => (typeof v === 'boolean' ? v : null),
  int: whole,
  long: whole,
  real: (v) => (typeof v === 'number' ? v : null),
  datetime: (v) => (typeof v === 'string' ? parseDatetime(v) : null),
  timespan: (v) => (typeof v === 'string' ? parseTimespan(v) : null),
};

function whole(value: unknown): number | null {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function expansion(item: SyntaxNode, { scope, input }: OperatorCall): Expansion {
  expectParts(item, item.kind === 'MvExpandExpression' ? ['Expression', 'ToTypeOf'] : []);
  const named = item.part('Expression');
  const source = compileScalar(itemExpression(named), scope.withRow(input));
  if (source.type !== 'dynamic') throw unsupported(item, `mv-expand of a ${source.type}`);
  const clause = item.optional('ToTypeOf');
  const type = (clause === undefined ? 'dynamic' : typeName(clause.part('TypeOf'))) as KqlType;
  const cast = CASTS[type];
  if (cast === undefined) throw unsupported(item, `mv-expand to typeof(${type})`);
  return { name: itemName(named), source: oncePerRow(source), type, cast };
}

/** Elements of a value: of an array, of a bag by the chosen mode; anything else is one element. */
function elementsOf(value: unknown, asPairs: boolean): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (value === null || typeof value !== 'object') return [value];
  const entries = Object.entries(value);
  return asPairs ? entries : entries.map(([key, v]) => Object.fromEntries([[key, v]]));
}

function mvExpand(call: OperatorCall): Relation {
  const { node, input, scope } = call;
  if (!node.text.startsWith('mv-expand'))
    throw unsupported(node, 'mvexpand, which has a row limit of its own; use mv-expand');
  const parameters = readParameters(node, ['kind', 'bagexpansion', 'with_itemindex']);
  const mode = parameters.get('kind') ?? parameters.get('bagexpansion');
  const asPairs = choice(mode, ['bag', 'array'] as const, 'bag') === 'array';
  const indexName = parameters.get('with_itemindex')?.text;
  const limit = rowLimit(call);
  const expansions = node.list('Expressions').map((item) => expansion(item, call));
  const { budget } = scope.session;
  const shape = outputShape(input, expansions, indexName);
  return {
    ...shape,
    run: (push) =>
      input.run((row) => {
        const lists = expansions.map((e) => elementsOf(e.source.read(row), asPairs));
        const count = Math.min(limit, Math.max(...lists.map((l) => l.length)));
        for (let i = 0; i < count; i += 1) {
          budget.tick();
          const cells = expansions.map((e, at) => castElement(e, lists[at]?.[i]));
          if (!push([row, i, ...cells])) return false;
        }
        return true;
      }),
  };
}

function castElement({ type, cast }: Expansion, value: unknown): unknown {
  return value === undefined || value === null ? missing(type) : cast(value);
}

function rowLimit({ node, scope }: OperatorCall): number {
  const clause = node.optional('RowLimitClause');
  if (clause === undefined) return Number.POSITIVE_INFINITY;
  expectParts(clause, ['RowLimit']);
  return rowCount(clause.part('RowLimit'), scope);
}

/** Output rows are [input row, item index, expanded values...]. An expanded column that exists keeps its place. */
function outputShape(
  input: Relation,
  expansions: readonly Expansion[],
  indexName: string | undefined,
): { columns: Column[]; reads: Expr[] } {
  const columns = [...input.columns];
  const reads = input.reads.map(ofInputRow);
  const put = (column: Column, read: Expr) => {
    const found = columns.findIndex((c) => c.name === column.name);
    const at = found < 0 ? columns.length : found;
    columns[at] = column;
    reads[at] = read;
  };
  expansions.forEach(({ name, type }, i) => {
    put({ name, type }, columnAt(i + 2, type));
  });
  if (indexName !== undefined) put({ name: indexName, type: 'long' }, columnAt(1, 'long'));
  return { columns, reads };
}

function ofInputRow(expr: Expr): Expr {
  const { read } = expr;
  return { type: expr.type, constant: false, read: (row) => read(row[0] as Row) };
}

export const MV_EXPAND: Readonly<Record<string, TabularOperator>> = {
  MvExpandOperator: {
    name: 'mv-expand',
    syntax:
      'mv-expand [kind = bag | array] [with_itemindex = name] [name =] expression [to typeof(type)], ... [limit count]',
    note: 'Several columns advance together, shorter ones are filled with null. A null gives one row, an empty array none.',
    parts: ['Parameters', 'Expressions', 'RowLimitClause'],
    compile: mvExpand,
  },
};
