import type { FunctionTable } from './function.js';
import { strict } from './function.js';

/** Half away from zero, at a number of decimals that may be negative. */
export function round(value: number, precision = 0): number {
  if (!Number.isFinite(value)) return value;
  const size = Math.abs(value);
  if (precision < 0) {
    const scale = 10 ** -precision;
    return Math.sign(value) * Math.round(size / scale) * scale + 0;
  }
  const scale = 10 ** precision;
  const scaled = size * scale;
  return Number.isFinite(scaled) ? (Math.sign(value) * Math.round(scaled)) / scale + 0 : value;
}

function real(name: string, apply: (x: number) => number | null, note?: string) {
  return strict({
    signature: `${name}(x: number): real`,
    ...(note === undefined ? {} : { note }),
    params: ['number'],
    result: 'real',
    apply,
  });
}

function test(name: string, apply: (x: number) => boolean) {
  return strict({ signature: `${name}(x: number): bool`, params: ['number'], result: 'bool', apply });
}

/** Documented: null for negative input. */
function nonNegative(apply: (x: number) => number): (x: number) => number | null {
  return (x) => (x < 0 ? null : apply(x));
}

export const NUMBER_FUNCTIONS: FunctionTable = {
  abs: strict({ signature: 'abs(x)', params: ['number'], apply: Math.abs }),
  ceiling: strict({
    signature: 'ceiling(x: number)',
    params: ['number'],
    apply: (x: number) => Math.ceil(x) + 0,
  }),
  round: strict({
    signature: 'round(x: number [, precision: long])',
    note: 'Half away from zero.',
    params: ['number', 'integer?'],
    apply: round,
  }),
  sign: strict({ signature: 'sign(x: number)', params: ['number'], apply: (x: number) => Math.sign(x) + 0 }),
  pow: strict({
    signature: 'pow(base: number, exponent: number): real',
    params: ['number', 'number'],
    result: 'real',
    apply: (x: number, y: number) => x ** y,
  }),
  exp: real('exp', Math.exp),
  exp2: real('exp2', (x) => 2 ** x),
  exp10: real('exp10', (x) => 10 ** x),
  log: real('log', nonNegative(Math.log), 'Null for a negative number.'),
  log2: real('log2', nonNegative(Math.log2), 'Null for a negative number.'),
  log10: real('log10', nonNegative(Math.log10), 'Null for a negative number.'),
  sqrt: real('sqrt', nonNegative(Math.sqrt), 'Null for a negative number.'),
  isnan: test('isnan', Number.isNaN),
  isinf: test('isinf', (x) => x === Infinity || x === -Infinity),
  isfinite: test('isfinite', Number.isFinite),
};
