import type { Expression } from './ast.js';
import { parseSelect } from './parser.js';
import type { TokenStream } from './token-stream.js';

type ParseExpression = (tokens: TokenStream) => Expression;

const CONSTANTS: ReadonlyMap<string, null | boolean | undefined> = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
  ['undefined', undefined],
]);
/** Grammar words that only mean something before `(SELECT`. */
const SUBQUERY_FORMS = new Set(['ALL', 'FIRST', 'LAST']);

/** A literal, name, call, constructor, subquery or parenthesized expression, with its member accesses. */
export function parsePrimary(tokens: TokenStream, parseExpression: ParseExpression): Expression {
  let expression = parseOperand(tokens, parseExpression);
  for (;;) {
    const access = parseAccess(tokens, expression, parseExpression);
    if (access === null) return expression;
    expression = access;
  }
}

function parseAccess(
  tokens: TokenStream,
  object: Expression,
  parseExpression: ParseExpression,
): Expression | null {
  const { start } = object.span;
  if (tokens.acceptSymbol('.')) {
    const { text: name, end } = tokens.expectPropertyName();
    return tokens.grow({ kind: 'property', object, name, span: { start, end } }, [object]);
  }
  if (!tokens.acceptSymbol('[')) return null;
  const index = parseExpression(tokens);
  const { end } = tokens.expectSymbol(']');
  const span = { start, end };
  if (index.kind === 'literal' && typeof index.value === 'string') {
    return tokens.grow({ kind: 'property', object, name: index.value, span }, [object]);
  }
  return tokens.grow({ kind: 'index', object, index, span }, [object, index]);
}

function parseOperand(tokens: TokenStream, parseExpression: ParseExpression): Expression {
  const token = tokens.current;
  const span = { start: token.start, end: token.end };
  switch (token.kind) {
    case 'number':
      tokens.advance();
      return { kind: 'literal', value: token.number, span };
    case 'string':
      tokens.advance();
      return { kind: 'literal', value: token.text, span };
    case 'parameter':
      tokens.advance();
      return { kind: 'parameter', name: token.text, span };
    case 'identifier':
      return parseNameOrCall(tokens, parseExpression);
    case 'keyword':
      return parseKeywordOperand(tokens);
    case 'symbol':
      return parseBracketed(tokens, parseExpression);
    default:
      throw tokens.unexpected('an expression');
  }
}

function parseNameOrCall(tokens: TokenStream, parseExpression: ParseExpression): Expression {
  const name = tokens.advance();
  const span = { start: name.start, end: name.end };
  if (!tokens.isSymbol('(')) return { kind: 'identifier', name: name.text, span };
  const isSubquery = tokens.next.kind === 'keyword' && tokens.next.text === 'SELECT';
  if (isSubquery && SUBQUERY_FORMS.has(name.text.toUpperCase())) {
    throw tokens.error('UNSUPPORTED', `${name.text.toUpperCase()}(SELECT ...) is not supported`, span);
  }
  return parseCall(tokens, span, parseExpression);
}

function parseCall(
  tokens: TokenStream,
  nameSpan: { start: number; end: number },
  parseExpression: ParseExpression,
): Expression {
  const name = tokens.text.slice(nameSpan.start, nameSpan.end).toUpperCase();
  tokens.expectSymbol('(');
  const args: Expression[] = [];
  if (!tokens.isSymbol(')')) {
    if (tokens.isSymbol('*')) {
      throw tokens.error('SYNTAX', `Syntax error, ${name}(*) is not valid; write ${name}(1)`);
    }
    do {
      args.push(parseExpression(tokens));
    } while (tokens.acceptSymbol(','));
  }
  const { end } = tokens.expectSymbol(')');
  const span = { start: nameSpan.start, end };
  return tokens.grow({ kind: 'call', name, nameSpan, args, span }, args);
}

function parseKeywordOperand(tokens: TokenStream): Expression {
  const { text: word, start, end } = tokens.current;
  if (CONSTANTS.has(word)) {
    tokens.advance();
    return { kind: 'literal', value: CONSTANTS.get(word), span: { start, end } };
  }
  if (word === 'udf') {
    tokens.advance();
    tokens.expectSymbol('.');
    const name = tokens.expectIdentifier('the name of a user-defined function');
    const message = `User-defined functions are not supported: udf.${name.text}`;
    throw tokens.error('UNSUPPORTED', message, { start, end: name.end });
  }
  if (word === 'EXISTS' || word === 'ARRAY') {
    tokens.advance();
    tokens.expectSymbol('(');
    return parseSubquery(tokens, start, word === 'EXISTS' ? 'exists' : 'array');
  }
  throw tokens.unexpected('an expression');
}

function parseSubquery(tokens: TokenStream, start: number, form: 'scalar' | 'exists' | 'array'): Expression {
  const query = parseSelect(tokens);
  const { end } = tokens.expectSymbol(')');
  return tokens.grow({ kind: 'subquery', form, query, span: { start, end } }, [query]);
}

function parseBracketed(tokens: TokenStream, parseExpression: ParseExpression): Expression {
  const { start } = tokens.current;
  if (tokens.acceptSymbol('(')) {
    if (tokens.isKeyword('SELECT')) return parseSubquery(tokens, start, 'scalar');
    const expression = parseExpression(tokens);
    tokens.expectSymbol(')');
    tokens.markParenthesized(expression);
    return expression;
  }
  if (tokens.acceptSymbol('[')) return parseArray(tokens, start, parseExpression);
  if (tokens.acceptSymbol('{')) return parseObject(tokens, start, parseExpression);
  throw tokens.unexpected('an expression');
}

function parseArray(tokens: TokenStream, start: number, parseExpression: ParseExpression): Expression {
  const items: Expression[] = [];
  if (!tokens.isSymbol(']')) {
    do {
      items.push(parseExpression(tokens));
    } while (tokens.acceptSymbol(','));
  }
  const { end } = tokens.expectSymbol(']');
  return tokens.grow({ kind: 'array', items, span: { start, end } }, items);
}

function parseObject(tokens: TokenStream, start: number, parseExpression: ParseExpression): Expression {
  const properties: { name: string; value: Expression }[] = [];
  const names = new Set<string>();
  while (!tokens.isSymbol('}')) {
    const name = parsePropertyKey(tokens);
    if (names.has(name)) {
      throw tokens.error('INVALID', `The property ${JSON.stringify(name)} is given twice in one object`);
    }
    names.add(name);
    tokens.advance();
    tokens.expectSymbol(':');
    properties.push({ name, value: parseExpression(tokens) });
    if (!tokens.isSymbol('}')) {
      tokens.expectSymbol(',');
      if (tokens.isSymbol('}')) throw tokens.unexpected('a property name in quotes');
    }
  }
  const { end } = tokens.expectSymbol('}');
  const values = properties.map((property) => property.value);
  return tokens.grow({ kind: 'object', properties, span: { start, end } }, values);
}

/** Leaves the cursor on the name, so that an error about it points there. */
function parsePropertyKey(tokens: TokenStream): string {
  const { kind, text } = tokens.current;
  if (kind === 'string' || kind === 'identifier') return text;
  throw tokens.unexpected('a property name in quotes');
}
