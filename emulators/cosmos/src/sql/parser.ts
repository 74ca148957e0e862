import type { Expression, OrderItem, Projection, Query, SelectItem, Source } from './ast.js';
import { parseExpression } from './expression-parser.js';
import { MAX_JOINS, MAX_ROW_COUNT } from './limits.js';
import { TokenStream } from './token-stream.js';

/** Clauses of other dialects: an error should name them rather than take them for an alias. */
const NO_BARE_ALIAS = new Set([
  'LEFT',
  'RIGHT',
  'INNER',
  'OUTER',
  'FULL',
  'CROSS',
  'ON',
  'HAVING',
  'UNION',
  'WITH',
]);

/** Syntax only; names and clauses are checked by {@link analyze}. */
export function parseSyntax(text: string): Query {
  const tokens = new TokenStream(text);
  const query = parseSelect(tokens);
  if (tokens.current.kind !== 'end') throw tokens.unexpected('the end of the query');
  return query;
}

export function parseSelect(tokens: TokenStream): Query {
  return tokens.nested(() => {
    const { start } = tokens.expectKeyword('SELECT');
    const distinct = tokens.acceptKeyword('DISTINCT');
    const top = tokens.acceptKeyword('TOP') ? parseRowCount(tokens, 'TOP') : null;
    const projection = parseProjection(tokens);
    const sources = tokens.acceptKeyword('FROM') ? parseSources(tokens) : [];
    const where = tokens.acceptKeyword('WHERE') ? parseExpression(tokens) : null;
    const groupBy = parseGroupBy(tokens);
    const orderBy = parseOrderBy(tokens);
    const window = parseOffsetLimit(tokens);
    const query: Query = {
      text: tokens.text,
      distinct,
      top,
      projection,
      sources,
      where,
      groupBy,
      orderBy,
      offset: window?.offset ?? null,
      limit: window?.limit ?? null,
      span: { start, end: tokens.previousEnd },
    };
    return tokens.grow(query, childrenOf(query));
  });
}

function childrenOf(query: Query): Expression[] {
  const { projection } = query;
  return [
    ...(projection.kind === 'value' ? [projection.expression] : []),
    ...(projection.kind === 'list' ? projection.items.map((item) => item.expression) : []),
    ...query.sources.map((source) => source.collection),
    ...(query.where ? [query.where] : []),
    ...query.groupBy,
    ...query.orderBy.map((item) => item.expression),
  ];
}

/** TOP, OFFSET and LIMIT take a non-negative integer or a parameter, nothing else. */
function parseRowCount(tokens: TokenStream, clause: string): Expression {
  const token = tokens.current;
  const span = { start: token.start, end: token.end };
  if (token.kind === 'parameter') {
    tokens.advance();
    return { kind: 'parameter', name: token.text, span };
  }
  if (token.kind !== 'number') throw tokens.unexpected(`an integer or a parameter after ${clause}`);
  if (!Number.isInteger(token.number) || token.number > MAX_ROW_COUNT) {
    const allowed = `an integer from 0 to ${MAX_ROW_COUNT}`;
    throw tokens.error('INVALID', `The ${clause} count must be ${allowed}, not ${token.text}`);
  }
  tokens.advance();
  return { kind: 'literal', value: token.number, span };
}

function parseProjection(tokens: TokenStream): Projection {
  const { start, end } = tokens.current;
  if (tokens.acceptSymbol('*')) {
    if (tokens.isSymbol(','))
      throw tokens.error('SYNTAX', "Syntax error, '*' must be the only projected item");
    return { kind: 'star', span: { start, end } };
  }
  if (tokens.acceptKeyword('VALUE')) {
    if (tokens.isSymbol('*')) throw tokens.error('SYNTAX', "Syntax error, 'SELECT VALUE *' is not valid");
    const expression = parseExpression(tokens);
    parseAlias(tokens, 'an alias');
    return { kind: 'value', expression, span: { start, end: tokens.previousEnd } };
  }
  const items: SelectItem[] = [];
  let unnamed = 0;
  do {
    if (tokens.isSymbol('*'))
      throw tokens.error('SYNTAX', "Syntax error, '*' must be the only projected item");
    const itemStart = tokens.current.start;
    const expression = parseExpression(tokens);
    const name = parseAlias(tokens, 'an alias') ?? nameOf(expression) ?? `$${++unnamed}`;
    items.push({ expression, name, span: { start: itemStart, end: tokens.previousEnd } });
  } while (tokens.acceptSymbol(','));
  return { kind: 'list', items, span: { start, end: tokens.previousEnd } };
}

function nameOf(expression: Expression): string | null {
  return expression.kind === 'property' || expression.kind === 'identifier' ? expression.name : null;
}

function parseAlias(tokens: TokenStream, what: string): string | null {
  if (tokens.acceptKeyword('AS')) return tokens.expectIdentifier(what).text;
  const { kind, text } = tokens.current;
  if (kind !== 'identifier' || NO_BARE_ALIAS.has(text.toUpperCase())) return null;
  return tokens.advance().text;
}

function parseSources(tokens: TokenStream): Source[] {
  const sources = [parseSource(tokens)];
  while (tokens.isKeyword('JOIN')) {
    if (sources.length > MAX_JOINS) {
      throw tokens.error('INVALID', `The query has more than ${MAX_JOINS} JOINs`);
    }
    tokens.advance();
    sources.push(parseSource(tokens));
  }
  if (tokens.isSymbol(',')) throw tokens.unexpected('JOIN, or the next clause');
  return sources;
}

function parseSource(tokens: TokenStream): Source {
  const { start } = tokens.current;
  const iterates = tokens.current.kind === 'identifier' && isKeywordIn(tokens);
  if (iterates) {
    const alias = tokens.advance().text;
    tokens.expectKeyword('IN');
    const collection = parseCollection(tokens);
    return { collection, alias, iterates, span: { start, end: tokens.previousEnd } };
  }
  const collection = parseCollection(tokens);
  const alias = parseAlias(tokens, 'an alias') ?? nameOf(collection);
  if (alias === null && collection.kind !== 'subquery') {
    const message = 'This FROM or JOIN input ends in an index and needs an alias (AS name)';
    throw tokens.error('INVALID', message, collection.span);
  }
  return { collection, alias, iterates, span: { start, end: tokens.previousEnd } };
}

function isKeywordIn(tokens: TokenStream): boolean {
  return tokens.next.kind === 'keyword' && tokens.next.text === 'IN';
}

function parseCollection(tokens: TokenStream): Expression {
  const { start } = tokens.current;
  if (tokens.acceptSymbol('(')) {
    const query = parseSelect(tokens);
    const { end } = tokens.expectSymbol(')');
    return tokens.grow({ kind: 'subquery', form: 'scalar', query, span: { start, end } }, [query]);
  }
  const { text: name, end } = tokens.expectIdentifier('a FROM or JOIN input');
  let path: Expression = { kind: 'identifier', name, span: { start, end } };
  for (;;) {
    const step = parsePathStep(tokens, path);
    if (step === null) return path;
    path = tokens.grow(step, [path]);
  }
}

/** FROM and JOIN paths take literal names and indexes only. */
function parsePathStep(tokens: TokenStream, object: Expression): Expression | null {
  const { start } = object.span;
  if (tokens.acceptSymbol('.')) {
    const name = tokens.expectPropertyName().text;
    return { kind: 'property', object, name, span: { start, end: tokens.previousEnd } };
  }
  if (!tokens.acceptSymbol('[')) return null;
  const token = tokens.current;
  if (token.kind !== 'string' && token.kind !== 'number') {
    throw tokens.unexpected('a property name in quotes or an index');
  }
  tokens.advance();
  const { end } = tokens.expectSymbol(']');
  if (token.kind === 'string') return { kind: 'property', object, name: token.text, span: { start, end } };
  const index: Expression = {
    kind: 'literal',
    value: token.number,
    span: { start: token.start, end: token.end },
  };
  return { kind: 'index', object, index, span: { start, end } };
}

function parseGroupBy(tokens: TokenStream): Expression[] {
  if (!tokens.acceptKeyword('GROUP')) return [];
  tokens.expectKeyword('BY');
  const expressions: Expression[] = [];
  do {
    expressions.push(parseExpression(tokens));
  } while (tokens.acceptSymbol(','));
  return expressions;
}

function parseOrderBy(tokens: TokenStream): OrderItem[] {
  if (!tokens.acceptKeyword('ORDER')) return [];
  tokens.expectKeyword('BY');
  if (tokens.current.text.toUpperCase() === 'RANK' && tokens.next.kind === 'identifier') {
    throw tokens.error('UNSUPPORTED', 'ORDER BY RANK (full text and hybrid search) is not supported');
  }
  const items: OrderItem[] = [];
  do {
    const { start } = tokens.current;
    const expression = parseExpression(tokens);
    const descending = tokens.acceptKeyword('DESC');
    if (!descending) tokens.acceptKeyword('ASC');
    items.push({ expression, descending, span: { start, end: tokens.previousEnd } });
  } while (tokens.acceptSymbol(','));
  return items;
}

function parseOffsetLimit(tokens: TokenStream): { offset: Expression; limit: Expression } | null {
  if (tokens.isKeyword('LIMIT')) throw tokens.error('SYNTAX', 'Syntax error, LIMIT needs OFFSET before it');
  if (!tokens.acceptKeyword('OFFSET')) return null;
  const offset = parseRowCount(tokens, 'OFFSET');
  tokens.expectKeyword('LIMIT');
  return { offset, limit: parseRowCount(tokens, 'LIMIT') };
}
