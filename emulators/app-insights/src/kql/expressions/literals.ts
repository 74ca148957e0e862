import { unsupported } from '../errors.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType } from '../types.js';
import { datetimeText, parseDatetime } from '../values/datetime.js';
import { parseTimespan, timespanText } from '../values/timespan.js';
import { checkedInteger, constant, type Expr, fitsInt, typeOf } from './expression.js';

/** `name(value)` or the bare value; quotes around the value are dropped. */
const WRAPPED = /^\s*(?:[a-z]+\s*\(\s*)(.*?)\s*\)\s*$/is;

/**
 * Literals are read from their text: the JavaScript build of the language service mis-reads some of them
 * (`time(1.00:00:00)`, `real(nan)` and `0x1f` are 0 there).
 */
export function compileLiteral(node: SyntaxNode): Expr {
  const type = typeOf(node);
  const word = node.part('Token').word.trim();
  const inner = (WRAPPED.exec(word)?.[1] ?? word).trim().replace(/^(['"])(.*)\1$/s, '$2');
  if (inner === 'null') return constant(type, null);
  const value = READERS[type]?.(inner, node);
  if (value === undefined || value === null) throw unsupported(node, `the literal ${word}`);
  return constant(type, value);
}

type Reader = (text: string, node: SyntaxNode) => unknown;

const READERS: Partial<Record<KqlType, Reader>> = {
  bool: (text) => ({ true: true, false: false, '1': true, '0': false })[text.toLowerCase()],
  int: (text, node) => {
    const value = readInteger(text, node);
    return value !== undefined && fitsInt(value) ? value : undefined;
  },
  long: readInteger,
  real: readReal,
  datetime: parseDatetime,
  timespan: parseTimespan,
  guid: (text) => (/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text) ? text.toLowerCase() : undefined),
};

function readInteger(text: string, node: SyntaxNode): number | undefined {
  if (/^[+-]?\d+$/.test(text) || /^0x[\da-f]+$/i.test(text)) return checkedInteger(Number(text), node);
  return undefined;
}

function readReal(text: string): number | undefined {
  const special = { nan: Number.NaN, '+inf': Infinity, inf: Infinity, '-inf': -Infinity }[text.toLowerCase()];
  if (special !== undefined) return special;
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function compileString(node: SyntaxNode): Expr {
  const text = node.kind === 'CompoundStringLiteralExpression' ? node.list('Tokens') : [node.part('Token')];
  return constant('string', text.map((token) => String(token.literal)).join(''));
}

/** `dynamic(...)`: JSON, extended by Kusto's literals; datetimes and timespans become their text, as in JSON. */
export function compileDynamic(node: SyntaxNode): Expr {
  return constant('dynamic', readJson(node.part('Expression')));
}

function readJson(node: SyntaxNode): unknown {
  switch (node.kind) {
    case 'JsonObjectExpression':
      return Object.fromEntries(
        node.list('Pairs').map((pair) => [String(pair.part('Name').literal), readJson(pair.part('Value'))]),
      );
    case 'JsonArrayExpression':
      return node.list('Values').map(readJson);
    case 'DynamicExpression':
      return readJson(node.part('Expression'));
    case 'NullLiteralExpression':
      return null;
    case 'UnaryMinusExpression': {
      const value = readJson(node.part('Expression'));
      if (typeof value === 'number') return -value;
      break;
    }
    case 'StringLiteralExpression':
    case 'CompoundStringLiteralExpression':
      return compileString(node).read([]);
    default:
      if (node.kind.endsWith('LiteralExpression')) return jsonOf(compileLiteral(node));
  }
  throw unsupported(node, `${node.text} inside dynamic()`);
}

function jsonOf(literal: Expr): unknown {
  const value = literal.read([]);
  if (value === null) return null;
  if (literal.type === 'datetime') return datetimeText(value as number);
  if (literal.type === 'timespan') return timespanText(value as number);
  return value;
}
