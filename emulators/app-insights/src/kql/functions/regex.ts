import { RE2JS } from 're2js';
import { runtimeError, unsupported } from '../errors.js';
import { constantValue, type Expr } from '../expressions/expression.js';
import type { SyntaxNode } from '../syntax.js';

/** Longest pattern accepted, characters. RE2 never backtracks, but a program grows with its pattern. */
const MAX_PATTERN_LENGTH = 1000;
/** Largest product of nested repetition counts: `(a{100}){100}` would compile to 10,000 instructions. */
const MAX_REPETITIONS = 1000;

/** A pattern is compiled once per query, so it must not depend on the row. */
export function regexSource(expr: Expr, node: SyntaxNode): string {
  if (expr.constant && expr.type === 'string') return constantValue(expr) as string;
  throw unsupported(node, 'a regular expression that depends on the row; it must be a constant string');
}

/** RE2 syntax, linear in the text's length: no pattern can hang a query. */
export function compileRegex(source: string, node: SyntaxNode): RE2JS {
  if (source.length > MAX_PATTERN_LENGTH) {
    throw runtimeError(
      node,
      `The regular expression has ${source.length} characters; at most ${MAX_PATTERN_LENGTH} are allowed`,
    );
  }
  if (repetitions(source) > MAX_REPETITIONS) {
    throw runtimeError(
      node,
      `The regular expression repeats more than ${MAX_REPETITIONS} times in nested counts`,
    );
  }
  try {
    return RE2JS.compile(source);
  } catch (cause) {
    throw runtimeError(
      node,
      `Invalid regular expression ${JSON.stringify(source)}: ${(cause as Error).message}`,
    );
  }
}

/** An upper bound: the product of all counts, whether or not they are nested in each other. */
function repetitions(source: string): number {
  let product = 1;
  for (const [, low, high] of source.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    product *= Math.max(1, Number(low), Number(high || 0));
  }
  return product;
}
