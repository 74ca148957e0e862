import { ARRAY_FUNCTIONS } from './array-functions.js';
import { DATE_FUNCTIONS } from './date-functions.js';
import type { BuiltinFunction } from './definition.js';
import { MATH_FUNCTIONS } from './math-functions.js';
import { STRING_FUNCTIONS } from './string-functions.js';
import { TYPE_FUNCTIONS } from './type-functions.js';

const AGGREGATES = ['AVG', 'COUNT', 'MAX', 'MIN', 'SUM'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

const FUNCTIONS: ReadonlyMap<string, BuiltinFunction> = new Map(
  [ARRAY_FUNCTIONS, DATE_FUNCTIONS, MATH_FUNCTIONS, STRING_FUNCTIONS, TYPE_FUNCTIONS].flatMap(Object.entries),
);

/** Functions the service has and this engine has not, by the reason to give. */
const REFUSED: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'Spatial functions are not supported',
    ['ST_AREA', 'ST_DISTANCE', 'ST_INTERSECTS', 'ST_ISVALID', 'ST_ISVALIDDETAILED', 'ST_WITHIN'],
  ],
  [
    'Full text and vector search is not supported',
    [
      'FULLTEXTCONTAINS',
      'FULLTEXTCONTAINSALL',
      'FULLTEXTCONTAINSANY',
      'FULLTEXTSCORE',
      'RRF',
      'VECTORDISTANCE',
    ],
  ],
  [
    'Functions on 64-bit integers are not supported, numbers are 64-bit floats here',
    [
      'INTADD',
      'INTBITAND',
      'INTBITLEFTSHIFT',
      'INTBITNOT',
      'INTBITOR',
      'INTBITRIGHTSHIFT',
      'INTBITXOR',
    ].concat(['INTDIV', 'INTMOD', 'INTMUL', 'INTSUB']),
  ],
  ['The aggregate is not supported', ['COUNTIF', 'MAKELIST', 'MAKESET']],
  [
    'The function is not supported',
    [
      'ARRAY_AVG',
      'ARRAY_MAX',
      'ARRAY_MEDIAN',
      'ARRAY_MIN',
      'ARRAY_SUM',
      'DATETIMEFORMAT',
      'DOCUMENTID',
    ].concat(
      ['LASTSUBSTRINGAFTER', 'LASTSUBSTRINGBEFORE', 'REGEXEXTRACT', 'REGEXEXTRACTALL', 'SUBSTRINGAFTER'],
      ['SUBSTRINGBEFORE', 'HASH', 'IS_DATETIME', 'LAST_INDEX_OF'],
    ),
  ],
]);
const REASONS: ReadonlyMap<string, string> = new Map(
  [...REFUSED].flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

export function isAggregate(name: string): name is AggregateName {
  return (AGGREGATES as readonly string[]).includes(name);
}

/** @param name in upper case */
export function findFunction(name: string): BuiltinFunction | undefined {
  return FUNCTIONS.get(name);
}

/** Why a function that the service knows is refused here; undefined: the service has no such function. */
export function reasonForRefusal(name: string): string | undefined {
  return REASONS.get(name) ?? (name.startsWith('ST_') ? 'Spatial functions are not supported' : undefined);
}

/** Every scalar function, for the documentation of what is supported. */
export function functionNames(): string[] {
  return [...FUNCTIONS.keys()].sort();
}
