import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import type { Expr } from '../expressions/expression.js';
import { expectParts } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import { Aggregation } from './aggregation.js';
import { KeyIndex } from './key-index.js';
import { type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import { itemExpression } from './projections.js';
import { isNamedAfter, positional, type Relation } from './relation.js';

/** Items of the optional `by` clause. */
export function keyItems(node: SyntaxNode): SyntaxNode[] {
  const clause = node.optional('ByClause');
  if (clause === undefined) return [];
  expectParts(clause, ['Expressions']);
  return clause.list('Expressions');
}

/** Columns that are group keys as they are; `*` in aggregates leaves them out. */
export function plainKeyNames(items: readonly SyntaxNode[]): Set<string> {
  const names = items.filter((i) => i.kind === 'NameReference').map((i) => i.reference?.name ?? i.text);
  return new Set(names);
}

function summarize({ node, input, scope }: OperatorCall): Relation {
  readParameters(node, []);
  const items = keyItems(node);
  const rowScope = scope.withRow(input);
  const keys = items.map((item) => compileScalar(itemExpression(item), rowScope));
  const aggregation = new Aggregation(input, scope, plainKeyNames(items));
  const outputs = node.list('Aggregates').flatMap((item) => aggregation.columns(item));
  const types = [...keys, ...outputs].map((e) => e.type);
  const columns = (node.columns ?? []).map((c, i) => ({ name: c.name, type: types[i] ?? c.type }));
  const agrees = outputs.every(({ origin }, i) => isNamedAfter(columns[keys.length + i]?.name, origin));
  if (columns.length !== types.length || !agrees) throw unsupported(node, 'this form of summarize');
  const { budget } = scope.session;
  return positional(columns, (push) => {
    const groups = new KeyIndex(keys, budget);
    const running = aggregation.start(budget);
    if (keys.length === 0) {
      const all = groups.insert([]);
      input.run((row) => {
        running.add(all, row);
        return true;
      });
    } else {
      input.run((row) => {
        running.add(groups.insert(row), row);
        return true;
      });
    }
    for (let group = 0; group < groups.size; group += 1) {
      budget.tick();
      if (!push([...groups.values(group), ...values(outputs, running.slots(group))])) return;
    }
  });
}

function values(outputs: readonly Expr[], slots: readonly unknown[]): unknown[] {
  return outputs.map((output) => output.read(slots));
}

export const SUMMARIZE: Readonly<Record<string, TabularOperator>> = {
  SummarizeOperator: {
    name: 'summarize',
    syntax: 'summarize [[name =] aggregation, ...] [by [name =] expression, ...]',
    note: 'Without `by` there is one row even for no input; with `by` there is none. Null is a group of its own.',
    parts: ['Parameters', 'Aggregates', 'ByClause'],
    compile: summarize,
  },
};
