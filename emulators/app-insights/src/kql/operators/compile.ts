import { unsupported } from '../errors.js';
import { constant, type Expr, missing } from '../expressions/expression.js';
import type { Elements } from '../expressions/membership.js';
import { bindCall } from '../lets.js';
import { expectParts, type Scope, type Session } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType } from '../types.js';
import { tabularOperator } from './operator-table.js';
import type { Relation } from './relation.js';
import { compileDataTable, compilePrint, compileRangeOperator, tableSource } from './sources.js';
import { compileUnionSource } from './union.js';

type Compile = (node: SyntaxNode, scope: Scope) => Relation;

const SOURCES: Readonly<Record<string, { parts: readonly string[]; compile: Compile }>> = {
  PipeExpression: { parts: ['Expression', 'Operator'], compile: compilePipe },
  ParenthesizedExpression: {
    parts: ['Expression'],
    compile: (n, s) => compileTabular(n.part('Expression'), s),
  },
  MaterializeExpression: {
    parts: ['Expression'],
    compile: (n, s) => compileTabular(n.part('Expression'), s),
  },
  NameReference: { parts: ['Name'], compile: compileTableName },
  FunctionCallExpression: { parts: ['Name', 'ArgumentList'], compile: compileCall },
  UnionOperator: { parts: ['Parameters', 'Expressions'], compile: compileUnionSource },
  PrintOperator: { parts: ['Expressions'], compile: compilePrint },
  RangeOperator: { parts: ['Name', 'From', 'To', 'Step'], compile: compileRangeOperator },
  DataTableExpression: { parts: ['Schema', 'Values'], compile: compileDataTable },
};

/** Compiles a tabular expression; refuses every kind of node that is not in the tables. */
export function compileTabular(node: SyntaxNode, scope: Scope): Relation {
  scope.countNode(node);
  const source = SOURCES[node.kind];
  if (source === undefined) throw unsupported(node, `"${firstWord(node)}" as a table`);
  expectParts(node, source.parts);
  return agreeing(node, source.compile(node, scope));
}

/** The last line of defence: the analysis and the plan must agree on the result's columns. */
function agreeing(node: SyntaxNode, relation: Relation): Relation {
  const expected = node.columns ?? [];
  const same =
    expected.length === relation.columns.length &&
    expected.every((c, i) => c.name === relation.columns[i]?.name && c.type === relation.columns[i]?.type);
  if (same) return relation;
  const list = (columns: Relation['columns']) => columns.map((c) => `${c.name}:${c.type}`).join(', ');
  throw unsupported(
    node,
    `this form of "${firstWord(node)}" (columns ${list(expected)}; built ${list(relation.columns)})`,
  );
}

function firstWord(node: SyntaxNode): string {
  return /^\S+/.exec(node.text)?.[0] ?? node.kind;
}

function compilePipe(node: SyntaxNode, scope: Scope): Relation {
  const input = compileTabular(node.part('Expression'), scope);
  const operator = node.part('Operator');
  scope.countNode(operator);
  const known = tabularOperator(operator.kind);
  if (known === undefined) throw unsupported(operator, `the operator ${firstWord(operator)}`);
  expectParts(operator, known.parts);
  return agreeing(operator, known.compile({ node: operator, input, scope }));
}

function compileTableName(node: SyntaxNode, scope: Scope): Relation {
  const reference = node.reference;
  if (reference?.kind === 'table') return tableSource(node, reference.name, scope.session);
  const binding = reference === undefined ? undefined : scope.binding(reference.name);
  if (binding?.kind === 'table') return binding.relation();
  if (binding?.kind === 'function') {
    const { body, inner } = bindCall(node, binding, scope);
    return compileTabular(body, inner);
  }
  throw unsupported(node, `the table name ${node.text}`);
}

function compileCall(node: SyntaxNode, scope: Scope): Relation {
  const name = node.part('Name').text;
  const binding = scope.binding(name);
  if (binding?.kind !== 'function') throw unsupported(node, `the tabular function ${name}()`);
  const { body, inner } = bindCall(node, binding, scope);
  return compileTabular(body, inner);
}

/** Runs a tabular expression for its first column and first row, as `toscalar()` does; no row gives the missing value. */
export function scalarResult(type: KqlType, relation: Relation, session: Session): Expr {
  const first = relation.reads[0];
  let value: unknown = missing(type);
  if (session.running && first !== undefined) {
    session.budget.releasing(() => {
      relation.run((row) => {
        value = first.read(row);
        return false;
      });
    });
  }
  return constant(type, value);
}

/** Runs a tabular expression for all values of its first column, as `in (table)` does. */
export function firstColumn(node: SyntaxNode, scope: Scope): Elements {
  const relation = compileTabular(node, scope);
  const first = relation.reads[0];
  const type = relation.columns[0]?.type;
  if (first === undefined || type === undefined || type === 'dynamic') {
    throw unsupported(node, 'a list from a table whose first column is dynamic or missing');
  }
  const values = new Set<unknown>();
  const { running, budget } = scope.session;
  if (running) {
    relation.run((row) => {
      budget.hold(50);
      values.add(first.read(row));
      return true;
    });
  }
  return { type, values: [...values] };
}
