import type { Expression, Query, Source } from './ast.js';
import { isPlainIdentifier } from './tokenizer.js';

/**
 * Writes an expression in one canonical form, with every operator in parentheses. Equal text means equal expression,
 * and parsing the text gives the expression back.
 */
export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case 'literal':
      return printLiteral(expression.value);
    case 'parameter':
    case 'identifier':
      return expression.name;
    case 'property': {
      const object = printOperand(expression.object);
      const { name } = expression;
      return isPlainIdentifier(name) ? `${object}.${name}` : `${object}[${JSON.stringify(name)}]`;
    }
    case 'index':
      return `${printOperand(expression.object)}[${printExpression(expression.index)}]`;
    case 'call':
      return `${expression.name}(${printList(expression.args)})`;
    case 'object':
      return `{${expression.properties
        .map(({ name, value }) => `${JSON.stringify(name)}: ${printExpression(value)}`)
        .join(', ')}}`;
    case 'array':
      return `[${printList(expression.items)}]`;
    case 'subquery': {
      const form = { scalar: '', exists: 'EXISTS', array: 'ARRAY' }[expression.form];
      return `${form}(${printQuery(expression.query)})`;
    }
    default:
      return `(${printOperation(expression)})`;
  }
}

/** A number before a dot would read on as its fraction. */
function printOperand(object: Expression): string {
  const text = printExpression(object);
  return object.kind === 'literal' ? `(${text})` : text;
}

type Operation = Extract<
  Expression,
  { kind: 'unary' | 'binary' | 'logical' | 'conditional' | 'in' | 'between' | 'like' }
>;

function printOperation(expression: Operation): string {
  switch (expression.kind) {
    case 'unary': {
      const operator = expression.operator === 'not' ? 'NOT' : expression.operator;
      return `${operator} ${printExpression(expression.operand)}`;
    }
    case 'binary':
      return `${printExpression(expression.left)} ${expression.operator} ${printExpression(expression.right)}`;
    case 'logical':
      return expression.operands.map(printExpression).join(` ${expression.operator.toUpperCase()} `);
    case 'conditional': {
      const { condition, whenTrue, whenFalse } = expression;
      return `${printExpression(condition)} ? ${printExpression(whenTrue)} : ${printExpression(whenFalse)}`;
    }
    default:
      return printMembership(expression);
  }
}

function printMembership(expression: Extract<Expression, { kind: 'in' | 'between' | 'like' }>): string {
  const operand = `${printExpression(expression.operand)}${expression.negated ? ' NOT' : ''}`;
  switch (expression.kind) {
    case 'in':
      return `${operand} IN (${printList(expression.items)})`;
    case 'between':
      return `${operand} BETWEEN ${printExpression(expression.low)} AND ${printExpression(expression.high)}`;
    case 'like': {
      const { pattern, escape: escapeCharacter } = expression;
      const suffix = escapeCharacter === null ? '' : ` ESCAPE ${JSON.stringify(escapeCharacter)}`;
      return `${operand} LIKE ${printExpression(pattern)}${suffix}`;
    }
  }
}

function printLiteral(value: null | boolean | number | string | undefined): string {
  return value === undefined ? 'undefined' : JSON.stringify(value);
}

function printList(expressions: readonly Expression[]): string {
  return expressions.map(printExpression).join(', ');
}

function printSource({ collection, alias, iterates }: Source): string {
  const path = printExpression(collection);
  if (iterates) return `${alias} IN ${path}`;
  return alias === null || alias === path ? path : `${path} AS ${alias}`;
}

/** The clauses of a query as text; a rewriting replaces single ones. */
export interface QueryClauses {
  readonly select: string;
  readonly from: string;
  readonly where: string;
  readonly groupBy: string;
  readonly orderBy: string;
  readonly offsetLimit: string;
}

export function printClauses(query: Query): QueryClauses {
  return {
    select: `SELECT ${query.distinct ? 'DISTINCT ' : ''}${printTop(query)}${printProjection(query)}`,
    from: query.sources.length > 0 ? `FROM ${query.sources.map(printSource).join(' JOIN ')}` : '',
    where: query.where ? `WHERE ${printExpression(query.where)}` : '',
    groupBy: query.groupBy.length > 0 ? `GROUP BY ${printList(query.groupBy)}` : '',
    orderBy: query.orderBy.length > 0 ? `ORDER BY ${query.orderBy.map(printOrderItem).join(', ')}` : '',
    offsetLimit:
      query.offset && query.limit
        ? `OFFSET ${printExpression(query.offset)} LIMIT ${printExpression(query.limit)}`
        : '',
  };
}

export function joinClauses(clauses: QueryClauses): string {
  const { select, from, where, groupBy, orderBy, offsetLimit } = clauses;
  return [select, from, where, groupBy, orderBy, offsetLimit].filter((clause) => clause !== '').join(' ');
}

export function printQuery(query: Query): string {
  return joinClauses(printClauses(query));
}

export function printTop({ top }: Query): string {
  return top ? `TOP ${printExpression(top)} ` : '';
}

function printOrderItem({ expression, descending }: Query['orderBy'][number]): string {
  return `${printExpression(expression)} ${descending ? 'DESC' : 'ASC'}`;
}

export function printProjection({ projection }: Query): string {
  switch (projection.kind) {
    case 'star':
      return '*';
    case 'value':
      return `VALUE ${printExpression(projection.expression)}`;
    case 'list':
      return projection.items
        .map(({ expression, name }) => {
          const printed = printExpression(expression);
          return isPlainIdentifier(name) ? `${printed} AS ${name}` : printed;
        })
        .join(', ');
  }
}
