import { unsupported } from '../errors.js';
import { compileRegex, regexSource } from '../functions/regex.js';
import type { SyntaxNode } from '../syntax.js';
import { findTerm } from '../values/terms.js';
import { dynamicText } from '../values/text.js';
import { constantValue, derived, type Expr } from './expression.js';

type Test = (text: string, needle: string) => boolean;

const whole = { atStart: true, atEnd: true };

const TESTS: Record<string, Test> = {
  '=~': (text, needle) => text === needle,
  contains: (text, needle) => text.includes(needle),
  startswith: (text, needle) => text.startsWith(needle),
  endswith: (text, needle) => text.endsWith(needle),
  has: (text, needle) => findTerm(text, needle, whole),
  hasprefix: (text, needle) => findTerm(text, needle, { atStart: true, atEnd: false }),
  hassuffix: (text, needle) => findTerm(text, needle, { atStart: false, atEnd: true }),
};

/** Every operator of this file, as written in a query. */
export const STRING_OPERATORS: readonly string[] = [
  '=~',
  '!~',
  ...Object.keys(TESTS)
    .filter((name) => name !== '=~')
    .flatMap((name) => [name, `!${name}`, `${name}_cs`, `!${name}_cs`]),
  'matches regex',
  'has_any',
  'has_all',
];

interface Operator {
  readonly test: Test;
  readonly negated: boolean;
  readonly ignoreCase: boolean;
}

function operatorOf(word: string): Operator | undefined {
  if (word === '!~') return { test: TESTS['=~'] as Test, negated: true, ignoreCase: true };
  const negated = word.startsWith('!');
  const plain = negated ? word.slice(1) : word;
  const ignoreCase = !plain.endsWith('_cs');
  const test = TESTS[ignoreCase ? plain : plain.slice(0, -3)];
  return test === undefined ? undefined : { test, negated, ignoreCase };
}

export function compileStringOperator(node: SyntaxNode, operands: { left: Expr; right: Expr }): Expr {
  const word = node.part('Operator').word.replace(/\s+/g, ' ');
  const left = asText(operands.left, node);
  const right = asText(operands.right, node);
  if (word === 'matches regex') return matchesRegex(node, left, right);
  const operator = operatorOf(word);
  if (operator === undefined) throw unsupported(node, `the operator ${word}`);
  return textTest(operator, left, right);
}

function textTest({ test, negated, ignoreCase }: Operator, left: Expr, right: Expr): Expr {
  const read = left.read as (row: unknown) => string;
  const fold = (text: string) => (ignoreCase ? text.toLowerCase() : text);
  if (right.constant) {
    const needle = fold(constantValue(right) as string);
    return derived('bool', [left], (row) => test(fold(read(row)), needle) !== negated);
  }
  const readRight = right.read as (row: unknown) => string;
  return derived('bool', [left, right], (row) => test(fold(read(row)), fold(readRight(row))) !== negated);
}

function matchesRegex(node: SyntaxNode, left: Expr, right: Expr): Expr {
  const pattern = compileRegex(regexSource(right, node), node);
  const read = left.read as (row: unknown) => string;
  return derived('bool', [left], (row) => pattern.matcher(read(row)).find());
}

/** `has_any`, `has_all`: terms from a list, a dynamic array, or a table's first column. */
export function hasTerms(node: SyntaxNode, left: Expr, terms: readonly string[]): Expr {
  const text = asText(left, node);
  const read = text.read as (row: unknown) => string;
  const needles = terms.map((term) => term.toLowerCase());
  const all = node.kind === 'HasAllExpression';
  return derived('bool', [text], (row) => {
    const haystack = read(row).toLowerCase();
    const found = (needle: string) => findTerm(haystack, needle, whole);
    return all ? needles.every(found) : needles.some(found);
  });
}

/** String operators take dynamic values by their text. */
export function asText(expr: Expr, node: SyntaxNode): Expr {
  if (expr.type === 'string') return expr;
  if (expr.type !== 'dynamic')
    throw unsupported(node, `a ${expr.type} where a string is expected; use tostring()`);
  return derived('string', [expr], (row) => dynamicText(expr.read(row)));
}
