import fc from 'fast-check';

/**
 * A second, deliberately slow reading of the documented semantics, which shares nothing with the engine: it interprets its
 * own expression trees, and prints them as SQL for the engine to parse.
 */
export type Tree =
  | { op: 'value'; value: unknown }
  | { op: 'path'; path: readonly (string | number)[] }
  | { op: 'binary'; symbol: string; left: Tree; right: Tree }
  | { op: 'unary'; symbol: string; operand: Tree }
  | { op: 'if'; condition: Tree; whenTrue: Tree; whenFalse: Tree }
  | { op: 'in'; operand: Tree; items: readonly Tree[]; negated: boolean }
  | { op: 'between'; operand: Tree; low: Tree; high: Tree; negated: boolean }
  | { op: 'like'; operand: Tree; pattern: string; negated: boolean }
  | { op: 'array'; items: readonly Tree[] }
  | { op: 'object'; entries: readonly (readonly [string, Tree])[] }
  | { op: 'defined'; operand: Tree };

type Json = unknown;
type Truth = boolean | undefined;

export function print(tree: Tree): string {
  switch (tree.op) {
    case 'value':
      return tree.value === undefined ? 'undefined' : JSON.stringify(tree.value);
    case 'path':
      return `c${tree.path.map((step) => `[${JSON.stringify(step)}]`).join('')}`;
    case 'binary':
      return `(${print(tree.left)} ${tree.symbol} ${print(tree.right)})`;
    case 'unary':
      return `(${tree.symbol} ${print(tree.operand)})`;
    case 'if':
      return `(${print(tree.condition)} ? ${print(tree.whenTrue)} : ${print(tree.whenFalse)})`;
    case 'in':
      return `(${print(tree.operand)} ${not(tree)}IN (${tree.items.map(print).join(', ')}))`;
    case 'between':
      return `(${print(tree.operand)} ${not(tree)}BETWEEN ${print(tree.low)} AND ${print(tree.high)})`;
    case 'like':
      return `(${print(tree.operand)} ${not(tree)}LIKE ${JSON.stringify(tree.pattern)})`;
    case 'array':
      return `[${tree.items.map(print).join(', ')}]`;
    case 'object':
      return `{${tree.entries.map(([name, value]) => `${JSON.stringify(name)}: ${print(value)}`).join(', ')}}`;
    case 'defined':
      return `IS_DEFINED(${print(tree.operand)})`;
  }
}

function not({ negated }: { negated: boolean }): string {
  return negated ? 'NOT ' : '';
}

export function interpret(tree: Tree, c: Json): Json {
  switch (tree.op) {
    case 'value':
      return tree.value;
    case 'path':
      return tree.path.reduce<Json>((value, step) => member(value, step), c);
    case 'binary':
      return binary(tree.symbol, interpret(tree.left, c), interpret(tree.right, c));
    case 'unary':
      return unary(tree.symbol, interpret(tree.operand, c));
    case 'if':
      return interpret(interpret(tree.condition, c) === true ? tree.whenTrue : tree.whenFalse, c);
    case 'in': {
      const needle = interpret(tree.operand, c);
      if (needle === undefined) return undefined;
      const found = tree.items.some((item) => same(interpret(item, c), needle) === true);
      return found !== tree.negated;
    }
    case 'between': {
      const value = interpret(tree.operand, c);
      const inside = and(
        order(interpret(tree.low, c), value, '<='),
        order(value, interpret(tree.high, c), '<='),
      );
      return tree.negated ? invert(inside) : inside;
    }
    case 'like': {
      const text = interpret(tree.operand, c);
      if (typeof text !== 'string') return undefined;
      return wildcard(tree.pattern, text) !== tree.negated;
    }
    case 'array':
      return tree.items.map((item) => interpret(item, c)).filter((item) => item !== undefined);
    case 'object': {
      const entries = tree.entries.map(([name, value]) => [name, interpret(value, c)] as const);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }
    case 'defined':
      return interpret(tree.operand, c) !== undefined;
  }
}

function member(value: Json, step: string | number): Json {
  if (Array.isArray(value)) return typeof step === 'number' ? value[step] : undefined;
  if (value === null || typeof value !== 'object' || typeof step === 'number') return undefined;
  return Object.entries(value).find(([name]) => name === step)?.[1];
}

function binary(symbol: string, left: Json, right: Json): Json {
  switch (symbol) {
    case 'AND':
      return and(left, right);
    case 'OR':
      return invert(and(invert(left), invert(right)));
    case '??':
      return left === undefined ? right : left;
    case '=':
      return same(left, right);
    case '!=':
      return invert(same(left, right));
    case '||':
      return typeof left === 'string' && typeof right === 'string' ? `${left}${right}` : undefined;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return order(left, right, symbol);
    default:
      return arithmetic(symbol, left, right);
  }
}

function arithmetic(symbol: string, left: Json, right: Json): number | undefined {
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  const results: Record<string, number> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': left / right,
    '%': left % right,
    '&': left & right,
    '|': left | right,
    '^': left ^ right,
    '<<': left << right,
    '>>': left >> right,
    '>>>': left >>> right,
  };
  const result = results[symbol];
  return result === undefined || Number.isNaN(result) || Math.abs(result) === Infinity ? undefined : result;
}

function unary(symbol: string, operand: Json): Json {
  if (symbol === 'NOT') return invert(operand);
  if (typeof operand !== 'number') return undefined;
  return symbol === '-' ? -operand : symbol === '~' ? ~operand : operand;
}

function and(left: Json, right: Json): Truth {
  if (left === false || right === false) return false;
  return left === true && right === true ? true : undefined;
}

function invert(value: Json): Truth {
  return value === true ? false : value === false ? true : undefined;
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value === 0 ? 0 : value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, sorted(inner)]);
}

function kind(value: Json): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
}

function same(left: Json, right: Json): Truth {
  if (left === undefined || right === undefined) return undefined;
  return kind(left) === kind(right) && JSON.stringify(tag(left)) === JSON.stringify(tag(right));
}

/** Marks objects, so that `{}` and `[]` differ after sorting. */
function tag(value: Json): Json {
  if (Array.isArray(value)) return { array: value.map(tag) };
  if (value === null || typeof value !== 'object') return sorted(value);
  return {
    object: Object.keys(value)
      .sort()
      .map((name) => [name, tag((value as Record<string, Json>)[name])]),
  };
}

function order(left: Json, right: Json, symbol: string): Truth {
  if (kind(left) !== kind(right) || !['null', 'boolean', 'number', 'string'].includes(kind(left)))
    return undefined;
  const a = left as number;
  const b = right as number;
  if (left === null) return symbol.endsWith('=');
  return { '<': a < b, '<=': a <= b, '>': a > b, '>=': a >= b }[symbol];
}

function wildcard(pattern: string, text: string): boolean {
  if (pattern === '') return text === '';
  const [first, ...rest] = [...pattern];
  const tail = rest.join('');
  if (first === '%') return wildcard(tail, text) || (text !== '' && wildcard(pattern, text.slice(1)));
  return text !== '' && (first === '_' || first === text[0]) && wildcard(tail, text.slice(1));
}

const NAMES = ['a', 'b', 'list', 'map', 'odd name', 'gone'] as const;

export const scalars = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, 1, -1, 2, 0.5, '', 'a', 'ab', 'b', '1'),
  fc.integer({ min: -100, max: 100 }),
  fc.string({ maxLength: 3 }),
);

const values: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalars,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'odd name'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;

/** Documents in which most names of the expressions exist, with every type of value. */
export const documents: fc.Arbitrary<Record<string, unknown>> = fc.record(
  { a: values, b: values, list: fc.array(values, { maxLength: 3 }), map: values, 'odd name': scalars },
  { requiredKeys: [], noNullPrototype: true },
);

const SYMBOLS = ['AND', 'OR', '??', '=', '!=', '<', '<=', '>', '>=', '+', '-', '*', '/', '%', '||'] as const;
const BITWISE = ['&', '|', '^', '<<', '>>', '>>>'] as const;

export const trees: fc.Arbitrary<Tree> = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', withCrossShrink: true },
    scalars.map((value): Tree => ({ op: 'value', value })),
    fc.constant<Tree>({ op: 'value', value: undefined }),
    fc
      .array(fc.oneof(fc.constantFrom(...NAMES), fc.constantFrom(0, 1)), { minLength: 1, maxLength: 3 })
      .map((path): Tree => ({ op: 'path', path })),
    fc
      .record({ symbol: fc.constantFrom(...SYMBOLS, ...BITWISE), left: tie('tree'), right: tie('tree') })
      .map((parts): Tree => ({ op: 'binary', ...parts })),
    fc
      .record({ symbol: fc.constantFrom('NOT', '-', '+', '~'), operand: tie('tree') })
      .map((parts): Tree => ({ op: 'unary', ...parts })),
    fc
      .record({ condition: tie('tree'), whenTrue: tie('tree'), whenFalse: tie('tree') })
      .map((parts): Tree => ({ op: 'if', ...parts })),
    fc
      .record({
        operand: tie('tree'),
        items: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
        negated: fc.boolean(),
      })
      .map((parts): Tree => ({ op: 'in', ...parts })),
    fc
      .record({ operand: tie('tree'), low: tie('tree'), high: tie('tree'), negated: fc.boolean() })
      .map((parts): Tree => ({ op: 'between', ...parts })),
    fc
      .record({
        operand: tie('tree'),
        pattern: fc
          .array(fc.constantFrom('a', 'b', '%', '_', '1'), { maxLength: 4 })
          .map((parts) => parts.join('')),
        negated: fc.boolean(),
      })
      .map((parts): Tree => ({ op: 'like', ...parts })),
    fc.array(tie('tree'), { maxLength: 3 }).map((items): Tree => ({ op: 'array', items })),
    fc
      .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'z'), tie('tree')), {
        selector: ([name]) => name,
        maxLength: 3,
      })
      .map((entries): Tree => ({ op: 'object', entries })),
    tie('tree').map((operand): Tree => ({ op: 'defined', operand })),
  ),
})).tree;
