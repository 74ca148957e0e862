import type { Span } from './errors.js';
import { SqlError } from './errors.js';
import { MAX_QUERY_LENGTH } from './limits.js';

type TokenKind = 'identifier' | 'keyword' | 'number' | 'string' | 'parameter' | 'symbol' | 'end';

export interface Token extends Span {
  readonly kind: TokenKind;
  /** Keywords in upper case; strings decoded; identifiers, parameters and symbols as written. */
  readonly text: string;
  /** Numbers only. */
  readonly number: number;
}

/**
 * Reserved words of the public grammar (`sql.g4` in Azure/azure-cosmos-dotnet-v3), without LEFT, RIGHT and RANK, which only
 * mean something in one place. They are case-insensitive, and cannot name a property after a dot: `c.order` is a syntax
 * error in the service too, `c["order"]` is the way to write it.
 */
const KEYWORDS = new Set(
  `AND ARRAY AS ASC BETWEEN BY DESC DISTINCT ESCAPE EXISTS FROM GROUP IN JOIN LIKE LIMIT NOT OFFSET OR ORDER SELECT TOP
   VALUE WHERE`.split(/\s+/),
);
/** Constants are case-sensitive, unlike keywords. */
const CONSTANTS = new Set(['true', 'false', 'null', 'undefined', 'udf']);

const SYMBOLS = ['>>>', '<<', '>>', '<=', '>=', '<>', '!=', '||', '??', ...'()[]{},.:?*+-/%=<>&|^~'];

const IDENTIFIER = /[\p{L}_][\p{L}\p{Nd}\p{Mn}\p{Mc}\p{Pc}]*/uy;
const NUMBER = /0[xX][0-9a-fA-F]+|(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?/y;
const BLANK = /(?:[\s\ufeff]|--[^\n\r]*)+/y;
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  '/': '/',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

export function isReservedWord(name: string): boolean {
  return KEYWORDS.has(name.toUpperCase()) || CONSTANTS.has(name);
}

/** True if `name` can follow a dot. */
export function isPlainIdentifier(name: string): boolean {
  IDENTIFIER.lastIndex = 0;
  return IDENTIFIER.test(name) && IDENTIFIER.lastIndex === name.length && !isReservedWord(name);
}

/** @throws {SqlError} SYNTAX, at the first character that starts no token; INVALID, if the text is too long. */
export function tokenize(text: string): Token[] {
  if (text.length > MAX_QUERY_LENGTH) {
    const span = { start: MAX_QUERY_LENGTH, end: text.length };
    const message = `The query has ${text.length} characters; at most ${MAX_QUERY_LENGTH} are allowed`;
    throw new SqlError({ code: 'INVALID', message, text, span });
  }
  const tokens: Token[] = [];
  let position = skipBlank(text, 0);
  while (position < text.length) {
    const token = readToken(text, position);
    tokens.push(token);
    position = skipBlank(text, token.end);
  }
  tokens.push({ kind: 'end', text: 'end of query', number: 0, start: text.length, end: text.length });
  return tokens;
}

function skipBlank(text: string, position: number): number {
  BLANK.lastIndex = position;
  return BLANK.test(text) ? BLANK.lastIndex : position;
}

function match(pattern: RegExp, text: string, position: number): string | null {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0] ?? null;
}

function readToken(text: string, start: number): Token {
  const first = text.charAt(start);
  if (first === '"' || first === "'") return readString(text, start, first);
  if (first === '@') return readParameter(text, start);
  const number = match(NUMBER, text, start);
  if (number !== null) return readNumber(text, start, number);
  const word = match(IDENTIFIER, text, start);
  if (word !== null) return readWord(word, start);
  const symbol = SYMBOLS.find((candidate) => text.startsWith(candidate, start));
  if (symbol !== undefined) {
    return { kind: 'symbol', text: symbol, number: 0, start, end: start + symbol.length };
  }
  const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
  throw syntaxError(text, `Syntax error, unexpected character '${character}'`, {
    start,
    end: start + character.length,
  });
}

function readWord(word: string, start: number): Token {
  const end = start + word.length;
  const upper = word.toUpperCase();
  if (KEYWORDS.has(upper)) return { kind: 'keyword', text: upper, number: 0, start, end };
  if (CONSTANTS.has(word)) return { kind: 'keyword', text: word, number: 0, start, end };
  return { kind: 'identifier', text: word, number: 0, start, end };
}

function readParameter(text: string, start: number): Token {
  const name = match(/@[\p{L}_\p{Nd}][\p{L}\p{Nd}\p{Pc}]*/uy, text, start);
  if (name === null) {
    throw syntaxError(text, "Syntax error, '@' must be followed by a parameter name", {
      start,
      end: start + 1,
    });
  }
  return { kind: 'parameter', text: name, number: 0, start, end: start + name.length };
}

function readNumber(text: string, start: number, literal: string): Token {
  const end = start + literal.length;
  if (match(IDENTIFIER, text, end) !== null) {
    throw syntaxError(text, `Syntax error, '${literal}${text.charAt(end)}' is not a number`, {
      start,
      end: end + 1,
    });
  }
  const number = Number(literal);
  if (!Number.isFinite(number)) {
    const message = `The number ${literal} is too large for a 64-bit float`;
    throw new SqlError({ code: 'INVALID', message, text, span: { start, end } });
  }
  return { kind: 'number', text: literal, number, start, end };
}

function readString(text: string, start: number, quote: string): Token {
  let value = '';
  let position = start + 1;
  while (position < text.length) {
    const character = text.charAt(position);
    if (character === quote) {
      return { kind: 'string', text: value, number: 0, start, end: position + 1 };
    }
    if (character === '\\') {
      const decoded = readEscape(text, position);
      value += decoded.value;
      position = decoded.end;
    } else {
      if (character < ' ') {
        throw syntaxError(text, 'Syntax error, control characters in a string must be escaped', {
          start: position,
          end: position + 1,
        });
      }
      value += character;
      position++;
    }
  }
  throw syntaxError(text, `Syntax error, the string starting here is not closed with ${quote}`, {
    start,
    end: text.length,
  });
}

function readEscape(text: string, position: number): { value: string; end: number } {
  const code = text.charAt(position + 1);
  const simple = Object.hasOwn(ESCAPES, code) ? ESCAPES[code] : undefined;
  if (simple !== undefined) return { value: simple, end: position + 2 };
  const hex = match(/u[0-9a-fA-F]{4}/y, text, position + 1);
  if (hex !== null) {
    return { value: String.fromCharCode(Number.parseInt(hex.slice(1), 16)), end: position + 6 };
  }
  throw syntaxError(text, `Syntax error, unknown escape sequence '\\${code}' in a string`, {
    start: position,
    end: Math.min(position + 2, text.length),
  });
}

function syntaxError(text: string, message: string, span: Span): SqlError {
  return new SqlError({ code: 'SYNTAX', message, text, span });
}
