import { unsupported } from '../errors.js';
import { constant, type Expr, missing } from '../expressions/expression.js';
import type { Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Column } from '../types.js';
import { compileTabular } from './compile.js';
import { choice, type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import { materializer, positional, type Relation } from './relation.js';

interface Leg {
  readonly relation: Relation;
  readonly node: SyntaxNode;
}

export function compileUnionSource(node: SyntaxNode, scope: Scope): Relation {
  return unite(node, legsOf(node, scope));
}

function compileUnionOperator({ node, input, scope }: OperatorCall): Relation {
  return unite(node, [{ relation: input, node }, ...legsOf(node, scope)]);
}

function legsOf(node: SyntaxNode, scope: Scope): Leg[] {
  return node.list('Expressions').map((leg) => ({ relation: compileTabular(leg, scope), node: leg }));
}

function unite(node: SyntaxNode, legs: readonly Leg[]): Relation {
  const parameters = readParameters(node, ['kind', 'withsource', 'isfuzzy']);
  const kind = choice(parameters.get('kind'), ['outer', 'inner'] as const, 'outer');
  choice(parameters.get('isfuzzy'), ['false'] as const, 'false');
  const source = parameters.get('withsource');
  const data = unionColumns(legs);
  if (kind === 'inner') checkInner(legs, data, node);
  const columns: Column[] =
    source === undefined ? data : [{ name: source.text, type: 'string' }, ...data.map(plain)];
  const mapped = legs.map(({ relation, node: leg }) => {
    const cells = data.map((column) => cellOf(relation, column));
    const reads = source === undefined ? cells : [constant('string', sourceName(leg)), ...cells];
    return { relation, materialize: materializer({ columns, reads, run: relation.run }) };
  });
  return positional(columns.map(plain), (push) => {
    let wantsMore = true;
    for (const { relation, materialize } of mapped) {
      if (!wantsMore) return;
      relation.run((row) => {
        wantsMore = push(materialize(row));
        return wantsMore;
      });
    }
  });
}

interface UnionColumn extends Column {
  /** The column's name in the legs. */
  readonly original: string;
}

function plain({ name, type }: Column): Column {
  return { name, type };
}

/** One column per name and type; a name with several types gets the type appended, as `x_long`. */
function unionColumns(legs: readonly Leg[]): UnionColumn[] {
  const types = new Map<string, Set<Column['type']>>();
  for (const { relation } of legs) {
    for (const { name, type } of relation.columns) {
      types.set(name, (types.get(name) ?? new Set()).add(type));
    }
  }
  return [...types].flatMap(([name, found]) =>
    [...found].map((type) => ({ original: name, type, name: found.size === 1 ? name : `${name}_${type}` })),
  );
}

/** Of legs with different columns the analysis names those of kind=outer, which is not what Kusto documents. */
function checkInner(legs: readonly Leg[], columns: readonly UnionColumn[], node: SyntaxNode): void {
  if (legs.every((leg) => leg.relation.columns.length === columns.length)) return;
  throw unsupported(node, 'union kind=inner of tables with different columns; project the common ones first');
}

function cellOf(relation: Relation, column: UnionColumn): Expr {
  const at = relation.columns.findIndex((c) => c.name === column.original && c.type === column.type);
  return relation.reads[at] ?? constant(column.type, missing(column.type));
}

/** Kusto names other legs union_arg0, union_arg1, ..., or after their table, by rules that are not documented. */
function sourceName(leg: SyntaxNode): string {
  if (leg.kind === 'NameReference' && leg.reference?.kind === 'table') return leg.reference.name;
  throw unsupported(leg, 'withsource for anything but plain table names');
}

export const UNION: Readonly<Record<string, TabularOperator>> = {
  UnionOperator: {
    name: 'union',
    syntax: 'union [kind = outer | inner] [withsource = name] table, ...',
    note: 'Legs follow one another. A column with several types becomes one per type, `x_long`. kind=inner only of tables with the same columns. `withsource` only with plain table names; no wildcards, no isfuzzy=true.',
    parts: ['Parameters', 'Expressions'],
    compile: compileUnionOperator,
  },
};
