import { runtimeError, unsupported } from '../errors.js';
import { compileCondition, compileScalar } from '../expressions/compile.js';
import { columnAt, isInteger, requireConstant } from '../expressions/expression.js';
import type { Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import { KeyIndex } from './key-index.js';
import { type OperatorCall, readParameters, type TabularOperator } from './operator.js';
import { itemExpression } from './projections.js';
import { positional, type Relation } from './relation.js';

/** Null counts as false. */
function where({ node, input, scope }: OperatorCall): Relation {
  readParameters(node, []);
  const { read } = compileCondition(node.part('Condition'), scope.withRow(input));
  return {
    ...input,
    run: (push) => input.run((row) => (read(row) === true ? push(row) : true)),
  };
}

/** A number of rows: a constant that is whole and not negative. */
export function rowCount(node: SyntaxNode, scope: Scope): number {
  const expr = compileScalar(node, scope);
  if (!isInteger(expr.type)) throw unsupported(node, `a number of rows of type ${expr.type}`);
  const count = requireConstant(expr, node, 'a number of rows') as number | null;
  if (count !== null && count >= 0) return count;
  throw runtimeError(node, `The number of rows is ${count}; it must be 0 or more`);
}

function take({ node, input, scope }: OperatorCall): Relation {
  readParameters(node, []);
  const count = rowCount(node.part('Expression'), scope);
  return {
    ...input,
    run: (push) => {
      let left = count;
      if (left === 0) return;
      input.run((row) => {
        left -= 1;
        return push(row) && left > 0;
      });
    },
  };
}

function countRows({ input }: OperatorCall): Relation {
  return positional([{ name: 'Count', type: 'long' }], (push) => {
    let count = 0;
    input.run(() => {
      count += 1;
      return true;
    });
    push([count]);
  });
}

function distinct({ node, input, scope }: OperatorCall): Relation {
  readParameters(node, []);
  const columns = node.columns ?? [];
  const rowScope = scope.withRow(input);
  const items = node.list('Expressions');
  const isStar = items.length === 1 && items[0]?.kind === 'StarExpression';
  const reads = isStar ? input.reads : items.map((item) => compileScalar(itemExpression(item), rowScope));
  const { budget } = scope.session;
  return {
    columns: columns.map((c, i) => ({ name: c.name, type: reads[i]?.type ?? c.type })),
    reads: reads.map((e, i) => columnAt(i, e.type)),
    run: (push) => {
      const index = new KeyIndex(reads, budget);
      input.run((row) => {
        const before = index.size;
        const at = index.insert(row);
        return index.size === before || push(index.values(at));
      });
    },
  };
}

export const FILTERS: Readonly<Record<string, TabularOperator>> = {
  FilterOperator: {
    name: 'where',
    syntax: 'where condition',
    note: 'Also as `filter`. Null counts as false.',
    parts: ['Parameters', 'Condition'],
    compile: where,
  },
  TakeOperator: {
    name: 'take',
    syntax: 'take count',
    note: 'Also as `limit`. Any rows; here the first in the order of arrival.',
    parts: ['Parameters', 'Expression'],
    compile: take,
  },
  CountOperator: { name: 'count', syntax: 'count', parts: [], compile: countRows },
  DistinctOperator: {
    name: 'distinct',
    syntax: 'distinct expression, ... | *',
    parts: ['Parameters', 'Expressions'],
    compile: distinct,
  },
};
