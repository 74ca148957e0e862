import { runtimeError, unsupported } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType } from '../types.js';
import { MAX_DATETIME, MIN_DATETIME } from '../values/datetime.js';
import { checkedInteger, derived, type Expr, isInteger, isNumeric, typeOf } from './expression.js';

export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%';
type Operate = (a: number, b: number) => number | null;

interface Rule {
  readonly type: KqlType;
  readonly operate: Operate;
}

export function compileArithmetic(node: SyntaxNode, operands: { left: Expr; right: Expr }): Expr {
  const operator = node.part('Operator').word as ArithmeticOperator;
  const { left, right } = operands;
  const rule = ruleOf(operator, left.type, right.type, node);
  if (rule === undefined) {
    const hint =
      left.type === 'dynamic' || right.type === 'dynamic'
        ? '; convert dynamic values with toreal() or tolong() first'
        : '';
    throw unsupported(node, `${left.type} ${operator} ${right.type}${hint}`);
  }
  return derived(rule.type, [left, right], strict(left, right, rule.operate));
}

/** Null in, null out. */
function strict(left: Expr, right: Expr, operate: Operate): Expr['read'] {
  const a = left.read as (row: unknown) => number | null;
  const b = right.read as (row: unknown) => number | null;
  return (row) => {
    const x = a(row);
    if (x === null) return null;
    const y = b(row);
    return y === null ? null : operate(x, y);
  };
}

function ruleOf(
  operator: ArithmeticOperator,
  left: KqlType,
  right: KqlType,
  node: SyntaxNode,
): Rule | undefined {
  if (isInteger(left) && isInteger(right)) return { type: 'long', operate: INTEGER[operator](node) };
  if (isNumeric(left) && isNumeric(right)) return { type: 'real', operate: REAL[operator] };
  return temporalRule(operator, left, right, node);
}

const REAL: Record<ArithmeticOperator, Operate> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': modulo,
};

/** Whole numbers: division cuts towards zero and is null for a zero divisor. */
const INTEGER: Record<ArithmeticOperator, (node: SyntaxNode) => Operate> = {
  '+': (node) => (a, b) => checkedInteger(a + b, node),
  '-': (node) => (a, b) => checkedInteger(a - b, node),
  '*': (node) => (a, b) => checkedInteger(a * b, node) + 0,
  '/': () => quotient,
  '%': () => (a, b) => (b === 0 ? null : modulo(a, b)),
};

/** Exact, other than truncating the rounded quotient of two large numbers. */
function quotient(a: number, b: number): number | null {
  return b === 0 ? null : (a - (a % b)) / b + 0;
}

/** Kusto documents 0 <= a % b < abs(b) for every sign. */
export function modulo(a: number, b: number): number {
  const rest = a % b;
  return rest < 0 ? rest + Math.abs(b) : rest + 0;
}

function temporalRule(
  operator: ArithmeticOperator,
  left: KqlType,
  right: KqlType,
  node: SyntaxNode,
): Rule | undefined {
  const checkedDatetime = (operate: (a: number, b: number) => number): Operate => {
    return (a, b) => datetimeInRange(operate(a, b), node);
  };
  const l = isNumeric(left) ? 'number' : left;
  const r = isNumeric(right) ? 'number' : right;
  const rules: Partial<Record<string, Rule>> = {
    'datetime + timespan': { type: 'datetime', operate: checkedDatetime((a, b) => a + b) },
    'timespan + datetime': { type: 'datetime', operate: checkedDatetime((a, b) => a + b) },
    'datetime - timespan': { type: 'datetime', operate: checkedDatetime((a, b) => a - b) },
    'datetime - datetime': { type: 'timespan', operate: (a, b) => a - b },
    'timespan + timespan': { type: 'timespan', operate: (a, b) => a + b },
    'timespan - timespan': { type: 'timespan', operate: (a, b) => a - b },
    'timespan * number': { type: 'timespan', operate: (a, b) => wholeTicks(a * b) },
    'number * timespan': { type: 'timespan', operate: (a, b) => wholeTicks(a * b) },
    'timespan / number': { type: 'timespan', operate: (a, b) => (b === 0 ? null : wholeTicks(a / b)) },
    'timespan / timespan': { type: 'real', operate: (a, b) => a / b },
    'timespan % timespan': { type: 'timespan', operate: (a, b) => (b === 0 ? null : modulo(a, b)) },
  };
  return rules[`${l} ${operator} ${r}`];
}

function wholeTicks(ticks: number): number | null {
  return Number.isFinite(ticks) ? Math.round(ticks) : null;
}

export function datetimeInRange(value: number, node: SyntaxNode): number {
  if (value >= MIN_DATETIME && value < MAX_DATETIME) return value;
  throw runtimeError(node, 'The datetime is outside of the years 1 to 9999');
}

export function compileNegation(node: SyntaxNode, operand: Expr): Expr {
  if (!isNumeric(operand.type) && operand.type !== 'timespan') throw unsupported(node, `-${operand.type}`);
  return derived(typeOf(node), [operand], (row) => {
    const value = operand.read(row) as number | null;
    return value === null ? null : 0 - value;
  });
}
