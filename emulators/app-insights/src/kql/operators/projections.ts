import { unsupported } from '../errors.js';
import { compileScalar, nameText } from '../expressions/compile.js';
import { type Expr, oncePerRow } from '../expressions/expression.js';
import type { SyntaxNode } from '../syntax.js';
import type { Column } from '../types.js';
import type { OperatorCall, TabularOperator } from './operator.js';
import type { Relation } from './relation.js';

/** The item's expression without the name in front of it. */
export function itemExpression(item: SyntaxNode): SyntaxNode {
  return item.kind === 'SimpleNamedExpression' ? item.part('Expression') : item;
}

/** The name written in front, or the one Kusto derives; '' when there is neither. */
export function itemName(item: SyntaxNode): string {
  return item.kind === 'SimpleNamedExpression' ? nameText(item.part('Name')) : item.derivedName;
}

/** A column reference stays as it is; anything computed is remembered while its row is at hand. */
export function computed(item: SyntaxNode, call: OperatorCall): Expr {
  const expression = itemExpression(item);
  const expr = compileScalar(expression, call.scope.withRow(call.input));
  return expression.kind === 'NameReference' ? expr : oncePerRow(expr);
}

function typed(columns: readonly Column[], reads: readonly Expr[]): Column[] {
  return columns.map((c, i) => ({ name: c.name, type: reads[i]?.type ?? c.type }));
}

function project(call: OperatorCall): Relation {
  const { node, input } = call;
  const items = node.list('Expressions');
  const columns = node.columns ?? [];
  if (items.length !== columns.length) throw unsupported(node, 'this form of project');
  const reads = items.map((item) => computed(item, call));
  return { columns: typed(columns, reads), reads, run: input.run };
}

/** A name that exists is replaced in its place; the others are appended. */
function extend(call: OperatorCall): Relation {
  const { node, input } = call;
  const reads = [...input.reads];
  for (const item of node.list('Expressions')) {
    const name = itemName(item);
    const at = name === '' ? -1 : input.columns.findIndex((c) => c.name === name);
    const expr = computed(item, call);
    if (at >= 0) reads[at] = expr;
    else reads.push(expr);
  }
  const columns = node.columns ?? [];
  if (columns.length !== reads.length) throw unsupported(node, 'this form of extend');
  return { columns: typed(columns, reads), reads, run: input.run };
}

/** project-away, project-keep, project-reorder: the analysis knows which columns remain, and in which order. */
function select({ node, input }: OperatorCall): Relation {
  const columns = node.columns ?? [];
  const reads = columns.map((column) => {
    const read = input.reads[input.columns.findIndex((c) => c.name === column.name)];
    if (read === undefined) throw unsupported(node, `the column ${column.name} here`);
    return read;
  });
  return { columns: typed(columns, reads), reads, run: input.run };
}

function rename({ node, input }: OperatorCall): Relation {
  for (const item of node.list('Expressions')) {
    const source = itemExpression(item);
    if (item.kind !== 'SimpleNamedExpression' || source.kind !== 'NameReference') {
      throw unsupported(item, `"${item.text}" in project-rename`);
    }
  }
  const columns = node.columns ?? [];
  if (columns.length !== input.columns.length) throw unsupported(node, 'this form of project-rename');
  return { columns: typed(columns, input.reads), reads: input.reads, run: input.run };
}

export const PROJECTIONS: Readonly<Record<string, TabularOperator>> = {
  ProjectOperator: {
    name: 'project',
    syntax: 'project [name =] expression, ...',
    parts: ['Expressions'],
    compile: project,
  },
  ExtendOperator: {
    name: 'extend',
    syntax: 'extend [name =] expression, ...',
    parts: ['Expressions'],
    compile: extend,
  },
  ProjectAwayOperator: {
    name: 'project-away',
    syntax: 'project-away column or wildcard, ...',
    parts: ['Expressions'],
    compile: select,
  },
  ProjectKeepOperator: {
    name: 'project-keep',
    syntax: 'project-keep column or wildcard, ...',
    parts: ['Expressions'],
    compile: select,
  },
  ProjectReorderOperator: {
    name: 'project-reorder',
    syntax: 'project-reorder column or wildcard, ...',
    parts: ['Expressions'],
    compile: select,
  },
  ProjectRenameOperator: {
    name: 'project-rename',
    syntax: 'project-rename new = old, ...',
    parts: ['Expressions'],
    compile: rename,
  },
};
