import type { BinaryOperator, Expression, UnaryOperator } from './ast.js';
import { parsePrimary } from './primary-parser.js';
import type { TokenStream } from './token-stream.js';

/**
 * Binding strengths, weakest first, after the public grammar of the service's SQL (`sql.g4` in
 * Azure/azure-cosmos-dotnet-v3): comparisons bind tighter than bitwise operators and `||`.
 */
const CONDITIONAL = 1;
const COALESCE = 2;
const OR = 3;
const AND = 4;
const MEMBERSHIP = 5;
const UNARY = 20;

const BINARY: ReadonlyMap<string, { readonly operator: BinaryOperator; readonly strength: number }> = new Map(
  Object.entries({
    '||': 6,
    '|': 7,
    '^': 8,
    '&': 9,
    '=': 10,
    '!=': 10,
    '<>': 10,
    '<': 11,
    '<=': 11,
    '>': 11,
    '>=': 11,
    '<<': 12,
    '>>': 12,
    '>>>': 12,
    '+': 13,
    '-': 13,
    '*': 14,
    '/': 14,
    '%': 14,
  }).map(([symbol, strength]) => [
    symbol,
    { operator: (symbol === '<>' ? '!=' : symbol) as BinaryOperator, strength },
  ]),
);
const COMPARISONS = new Set<string>(['=', '!=', '<', '<=', '>', '>=']);
const LOOSER_THAN_COMPARISON = new Set<string>(['||', '|', '^', '&']);

export function parseExpression(tokens: TokenStream): Expression {
  return parseFrom(tokens, CONDITIONAL);
}

/** Pratt's method: parses everything that binds at least as strongly as `minimum`. */
function parseFrom(tokens: TokenStream, minimum: number): Expression {
  return tokens.nested(() => {
    let left = parseUnary(tokens);
    for (;;) {
      const extended = extend(tokens, left, minimum);
      if (extended === null) return left;
      left = extended;
    }
  });
}

function parseUnary(tokens: TokenStream): Expression {
  const { start } = tokens.current;
  const operator = unaryOperator(tokens);
  if (operator === null) return parsePrimary(tokens, parseExpression);
  tokens.advance();
  const operand = parseFrom(tokens, UNARY);
  const end = tokens.previousEnd;
  if (operator === 'not' && isOperatorAhead(tokens)) {
    // The public grammar binds NOT tighter than `=`, the documentation does not say; refusing beats guessing.
    const message = 'NOT before an operator is ambiguous; write NOT (...) around the comparison';
    throw tokens.error('UNSUPPORTED', message, { start, end });
  }
  return tokens.grow({ kind: 'unary', operator, operand, span: { start, end } }, [operand]);
}

function unaryOperator(tokens: TokenStream): UnaryOperator | null {
  if (tokens.isKeyword('NOT')) return 'not';
  if (tokens.isSymbol('-', '+', '~')) return tokens.current.text as UnaryOperator;
  return null;
}

function isOperatorAhead(tokens: TokenStream): boolean {
  const { kind, text } = tokens.current;
  if (kind === 'symbol') return BINARY.has(text);
  return tokens.isKeyword('IN', 'BETWEEN', 'LIKE', 'NOT');
}

function extend(tokens: TokenStream, left: Expression, minimum: number): Expression | null {
  const { kind, text } = tokens.current;
  if (kind === 'keyword') return extendByKeyword(tokens, left, minimum);
  if (kind !== 'symbol') return null;
  if (text === '?') return minimum <= CONDITIONAL ? parseConditional(tokens, left) : null;
  if (text === '??')
    return minimum <= COALESCE ? parseBinary(tokens, left, { operator: '??', strength: COALESCE }) : null;
  const binary = BINARY.get(text);
  if (binary === undefined || binary.strength < minimum) return null;
  return parseBinary(tokens, left, binary);
}

function extendByKeyword(tokens: TokenStream, left: Expression, minimum: number): Expression | null {
  if (tokens.isKeyword('AND')) return minimum <= AND ? parseLogical(tokens, left, 'and') : null;
  if (tokens.isKeyword('OR')) return minimum <= OR ? parseLogical(tokens, left, 'or') : null;
  if (minimum > MEMBERSHIP || !tokens.isKeyword('NOT', 'IN', 'BETWEEN', 'LIKE')) return null;
  const negated = tokens.acceptKeyword('NOT');
  if (tokens.acceptKeyword('IN')) return parseIn(tokens, left, negated);
  if (tokens.acceptKeyword('BETWEEN')) return parseBetween(tokens, left, negated);
  if (tokens.acceptKeyword('LIKE')) return parseLike(tokens, left, negated);
  throw tokens.unexpected('IN, BETWEEN or LIKE after NOT');
}

function parseBinary(
  tokens: TokenStream,
  left: Expression,
  { operator, strength }: { operator: BinaryOperator; strength: number },
): Expression {
  tokens.advance();
  const right = parseFrom(tokens, strength + 1);
  if (LOOSER_THAN_COMPARISON.has(operator)) {
    for (const side of [left, right]) refuseBareComparison(tokens, side, operator);
  }
  const span = { start: left.span.start, end: tokens.previousEnd };
  return tokens.grow({ kind: 'binary', operator, left, right, span }, [left, right]);
}

/** `a & b = c` would be `a & (b = c)`, which is always undefined: nobody means that. */
function refuseBareComparison(tokens: TokenStream, side: Expression, operator: string): void {
  if (side.kind !== 'binary' || !COMPARISONS.has(side.operator) || tokens.isParenthesized(side)) return;
  const message = `'${side.operator}' binds tighter than '${operator}'; write parentheses`;
  throw tokens.error('UNSUPPORTED', message, side.span);
}

function parseLogical(tokens: TokenStream, left: Expression, operator: 'and' | 'or'): Expression {
  const keyword = operator.toUpperCase();
  const operands = [left];
  while (tokens.acceptKeyword(keyword))
    operands.push(parseFrom(tokens, operator === 'and' ? AND + 1 : OR + 1));
  const span = { start: left.span.start, end: tokens.previousEnd };
  return tokens.grow({ kind: 'logical', operator, operands, span }, operands);
}

function parseConditional(tokens: TokenStream, condition: Expression): Expression {
  tokens.expectSymbol('?');
  const whenTrue = parseExpression(tokens);
  tokens.expectSymbol(':');
  const whenFalse = parseExpression(tokens);
  for (const part of [condition, whenFalse]) refuseBareCoalesce(tokens, part);
  const span = { start: condition.span.start, end: tokens.previousEnd };
  const children = [condition, whenTrue, whenFalse];
  return tokens.grow({ kind: 'conditional', condition, whenTrue, whenFalse, span }, children);
}

/** The public grammar and C-like habit disagree on `a ?? b ? c : d`. */
function refuseBareCoalesce(tokens: TokenStream, part: Expression): void {
  if (part.kind !== 'binary' || part.operator !== '??' || tokens.isParenthesized(part)) return;
  throw tokens.error('UNSUPPORTED', "'??' beside '? :' is ambiguous; write parentheses", part.span);
}

function parseIn(tokens: TokenStream, operand: Expression, negated: boolean): Expression {
  tokens.expectSymbol('(');
  if (tokens.isKeyword('SELECT')) {
    throw tokens.error('UNSUPPORTED', 'IN over a subquery is not supported; use ARRAY_CONTAINS or EXISTS');
  }
  const items: Expression[] = [];
  do {
    items.push(parseExpression(tokens));
  } while (tokens.acceptSymbol(','));
  const { end } = tokens.expectSymbol(')');
  const span = { start: operand.span.start, end };
  return tokens.grow({ kind: 'in', operand, items, negated, span }, [operand, ...items]);
}

function parseBetween(tokens: TokenStream, operand: Expression, negated: boolean): Expression {
  const low = parseFrom(tokens, MEMBERSHIP + 1);
  tokens.expectKeyword('AND');
  const high = parseFrom(tokens, MEMBERSHIP + 1);
  const span = { start: operand.span.start, end: tokens.previousEnd };
  return tokens.grow({ kind: 'between', operand, low, high, negated, span }, [operand, low, high]);
}

function parseLike(tokens: TokenStream, operand: Expression, negated: boolean): Expression {
  const pattern = parseFrom(tokens, MEMBERSHIP + 1);
  const escapeCharacter = tokens.acceptKeyword('ESCAPE') ? parseEscape(tokens) : null;
  const span = { start: operand.span.start, end: tokens.previousEnd };
  return tokens.grow({ kind: 'like', operand, pattern, escape: escapeCharacter, negated, span }, [
    operand,
    pattern,
  ]);
}

function parseEscape(tokens: TokenStream): string {
  const token = tokens.current;
  if (token.kind !== 'string') throw tokens.unexpected('a string after ESCAPE');
  if (token.text.length !== 1) {
    throw tokens.error('INVALID', `ESCAPE takes a single character, not ${JSON.stringify(token.text)}`);
  }
  tokens.advance();
  return token.text;
}
