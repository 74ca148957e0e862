import { rowBytes } from '../budget.js';
import { unsupported } from '../errors.js';
import { nameText } from '../expressions/compile.js';
import { type Expr, missing } from '../expressions/expression.js';
import { expectParts } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Row } from '../types.js';
import { compileTabular } from './compile.js';
import { JoinTable } from './join-table.js';
import { choice, type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import { isNamedAfter, type Push, type Relation } from './relation.js';

const KINDS = [
  'innerunique',
  'inner',
  'leftouter',
  'rightouter',
  'fullouter',
  'leftsemi',
  'rightsemi',
  'leftanti',
  'anti',
  'leftantisemi',
  'rightanti',
  'rightantisemi',
] as const;
type Kind = (typeof KINDS)[number];

interface Keys {
  readonly left: Expr[];
  readonly right: Expr[];
}

function join(call: OperatorCall): Relation {
  const { node, input, scope } = call;
  const kind = choice(readParameters(node, ['kind']).get('kind'), KINDS, 'innerunique');
  const right = compileTabular(node.part('Expression'), scope);
  const keys = joinKeys(node.part('ConditionClause'), input, right);
  const plan: Plan = { left: input, right, keys, call };
  switch (kind) {
    case 'leftsemi':
      return filtered(plan, true);
    case 'leftanti':
    case 'anti':
    case 'leftantisemi':
      return filtered(plan, false);
    case 'rightsemi':
      return filtered(swapped(plan), true);
    case 'rightanti':
    case 'rightantisemi':
      return filtered(swapped(plan), false);
    default:
      return combined(plan, kind);
  }
}

interface Plan {
  readonly left: Relation;
  readonly right: Relation;
  readonly keys: Keys;
  readonly call: OperatorCall;
}

function swapped({ left, right, keys, call }: Plan): Plan {
  return { left: right, right: left, keys: { left: keys.right, right: keys.left }, call };
}

function joinKeys(clause: SyntaxNode, left: Relation, right: Relation): Keys {
  if (clause.kind !== 'JoinOnClause') throw unsupported(clause, `"${clause.text}" in join`);
  expectParts(clause, ['Expressions']);
  const conditions = clause.list('Expressions').flatMap(conjuncts);
  const pairs = conditions.map((condition) => columnPair(condition));
  return {
    left: pairs.map(({ leftName, node }) => column(left, leftName, node)),
    right: pairs.map(({ rightName, node }) => column(right, rightName, node)),
  };
}

function conjuncts(node: SyntaxNode): SyntaxNode[] {
  if (node.kind === 'ParenthesizedExpression') return conjuncts(node.part('Expression'));
  if (node.kind !== 'AndExpression') return [node];
  return [...conjuncts(node.part('Left')), ...conjuncts(node.part('Right'))];
}

function columnPair(node: SyntaxNode): { leftName: string; rightName: string; node: SyntaxNode } {
  if (node.kind === 'NameReference') {
    const name = node.reference?.name ?? nameText(node);
    return { leftName: name, rightName: name, node };
  }
  if (node.kind === 'EqualExpression') {
    const sides = new Map([sideColumn(node.part('Left')), sideColumn(node.part('Right'))]);
    const leftName = sides.get('$left');
    const rightName = sides.get('$right');
    if (leftName !== undefined && rightName !== undefined) return { leftName, rightName, node };
  }
  throw unsupported(
    node,
    `the join condition "${node.text}"; allowed are column names and $left.a == $right.b`,
  );
}

/** `$left.name` → ['$left', 'name']. */
function sideColumn(node: SyntaxNode): [string, string] {
  if (node.kind === 'PathExpression') return [node.part('Expression').text, nameText(node.part('Selector'))];
  return ['', node.text];
}

function column(relation: Relation, name: string, node: SyntaxNode): Expr {
  const expr = relation.reads[relation.columns.findIndex((c) => c.name === name)];
  if (expr === undefined) throw unsupported(node, `the join column ${name}`);
  if (expr.type === 'dynamic' || expr.type === 'real')
    throw unsupported(node, `joining on the ${expr.type} column ${name}`);
  return expr;
}

/** Left rows that have, or do not have, a partner. */
function filtered({ left, right, keys, call }: Plan, wanted: boolean): Relation {
  const { budget } = call.scope.session;
  return {
    columns: left.columns,
    reads: left.reads,
    run: (push) => {
      const table = new JoinTable(keys.right, budget);
      right.run((row) => {
        table.addKey(row);
        return true;
      });
      left.run((row) => ((table.find(keys.left, row) !== undefined) === wanted ? push(row) : true));
    },
  };
}

/** Pairs of a left and a right row travel as they are; a missing side is null. */
type Pair = readonly [left: Row | null, right: Row | null];

function combined({ left, right, keys, call }: Plan, kind: Kind): Relation {
  const { budget } = call.scope.session;
  const keepsLeft = kind === 'leftouter' || kind === 'fullouter';
  const keepsRight = kind === 'rightouter' || kind === 'fullouter';
  const run = (push: Push): void => {
    const table = new JoinTable(keys.right, budget);
    const unmatched = new Set<Row>();
    const loose: Row[] = [];
    right.run((row) => {
      budget.hold(rowBytes(2));
      const hasKey = table.add(row);
      if (keepsRight) (hasKey ? unmatched : { add: (r: Row) => loose.push(r) }).add(row);
      return true;
    });
    const seen = kind === 'innerunique' ? new JoinTable(keys.left, budget) : undefined;
    let wantsMore = true;
    left.run((row) => {
      if (seen !== undefined && !seen.addKey(row)) return true;
      const partners = table.find(keys.left, row);
      if (partners === undefined) {
        if (keepsLeft) wantsMore = push([row, null] satisfies Pair);
        return wantsMore;
      }
      for (const partner of partners) {
        budget.tick();
        unmatched.delete(partner);
        wantsMore = push([row, partner] satisfies Pair);
        if (!wantsMore) return false;
      }
      return true;
    });
    for (const row of [...unmatched, ...loose]) if (wantsMore) wantsMore = push([null, row] satisfies Pair);
  };
  const reads = [...left.reads.map((e) => side(e, 0)), ...right.reads.map((e) => side(e, 1))];
  const columns = (call.node.columns ?? []).map((c, i) => ({ name: c.name, type: reads[i]?.type ?? c.type }));
  const origins = [...left.columns, ...right.columns];
  const agrees = columns.every((c, i) => isNamedAfter(c.name, origins[i]?.name));
  if (columns.length !== reads.length || !agrees) throw unsupported(call.node, 'this form of join');
  return { columns, reads, run };
}

function side(expr: Expr, index: 0 | 1): Expr {
  const none = missing(expr.type);
  const { read } = expr;
  return {
    type: expr.type,
    constant: false,
    read: (pair) => {
      const row = pair[index] as Row | null;
      return row === null ? none : read(row);
    },
  };
}

export const JOIN: Readonly<Record<string, TabularOperator>> = {
  JoinOperator: {
    name: 'join',
    syntax: `join [kind = ${KINDS.join(' | ')}] (table) on column or $left.a == $right.b, ...`,
    note:
      'The default is innerunique: of the left rows with one key the first is taken (Kusto: any). Null keys have no partner. ' +
      'A missing side gives null, or an empty string. Keys of type real or dynamic are refused.',
    parts: ['Parameters', 'Expression', 'ConditionClause'],
    compile: join,
  },
};
