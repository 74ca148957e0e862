import { RE2JS } from 're2js';
import type { Value } from '../values.js';
import type { BuiltinFunction } from './definition.js';

/** Longest pattern accepted, characters. RE2 never backtracks, but a program grows with its pattern. */
const MAX_PATTERN_LENGTH = 1_000;
/** Largest product of repetition counts: `(a{100}){100}` would compile to 10,000 instructions. */
const MAX_REPETITIONS = 1_000;
/** Compiled patterns kept; a query has few, and asks for the same ones for every document. */
const CACHE_SIZE = 100;

/** The documented modifiers: multiple lines, dot matches line ends, case is ignored. `x` is refused by name. */
const FLAGS: Readonly<Record<string, number>> = {
  m: RE2JS.MULTILINE,
  s: RE2JS.DOTALL,
  i: RE2JS.CASE_INSENSITIVE,
};

/** A compiled pattern, null for one that is malformed, or why it is not supported. */
type Compiled = RE2JS | null | string;

const cache = new Map<string, Compiled>();

/**
 * RegexMatch by RE2, whose time is linear in the text: no pattern can hang the account. What RE2 leaves out (look-around,
 * back-references) is refused by name; a malformed pattern matches nothing, as in the service.
 */
export const REGEX_MATCH: BuiltinFunction = {
  minArguments: 2,
  maxArguments: 3,
  evaluate([text, pattern, modifiers = '']) {
    if (typeof text !== 'string') return undefined;
    const compiled = compiledOf(pattern, modifiers);
    return compiled instanceof RE2JS ? compiled.test(text) : undefined;
  },
  refuse([, pattern, modifiers = '']) {
    if (typeof modifiers === 'string' && modifiers.includes('x'))
      return "The modifier 'x' is not supported, allowed: m, s, i";
    const compiled = compiledOf(pattern, modifiers);
    return typeof compiled === 'string' ? compiled : null;
  },
};

function compiledOf(pattern: Value, modifiers: Value): Compiled {
  if (typeof pattern !== 'string' || typeof modifiers !== 'string' || !/^[msi]*$/.test(modifiers))
    return null;
  const key = `${modifiers}/${pattern}`;
  const known = cache.get(key);
  if (known !== undefined) return known;
  const compiled = compile(pattern, modifiers);
  if (cache.size >= CACHE_SIZE) cache.clear();
  cache.set(key, compiled);
  return compiled;
}

function compile(pattern: string, modifiers: string): Compiled {
  if (pattern.length > MAX_PATTERN_LENGTH)
    return `A pattern of ${pattern.length} characters is not supported, allowed: ${MAX_PATTERN_LENGTH}`;
  if (repetitions(pattern) > MAX_REPETITIONS)
    return `A pattern whose counts multiply to more than ${MAX_REPETITIONS} is not supported`;
  const flags = [...modifiers].reduce((all, modifier) => all | (FLAGS[modifier] ?? 0), 0);
  try {
    return RE2JS.compile(pattern, flags);
  } catch (error) {
    return isRegExp(pattern)
      ? `The pattern ${JSON.stringify(pattern)} is not supported: ${(error as Error).message}`
      : null;
  }
}

/** Whether JavaScript takes it, which knows look-around and back-references. Only compiled, never run. */
function isRegExp(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}

/** An upper bound: the product of all counts, whether or not they are nested in each other. */
function repetitions(pattern: string): number {
  let product = 1;
  for (const [, low, high] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g))
    product *= Math.max(1, Number(low), Number(high || 0));
  return product;
}
