import { finite } from '../values.js';
import type { BuiltinFunction, FunctionTable } from './definition.js';
import { fn } from './definition.js';

/** Undefined for anything but numbers, and for results that JSON cannot hold. */
function numeric(
  [min, max]: readonly [number, number],
  compute: (...args: number[]) => number,
): BuiltinFunction {
  return fn([min, max], (args) => {
    for (const arg of args) if (typeof arg !== 'number') return undefined;
    return finite(compute(...(args as number[])));
  });
}

const unary = (compute: (x: number) => number) => numeric([1, 1], compute as (...args: number[]) => number);
const binary = (compute: (x: number, y: number) => number) =>
  numeric([2, 2], compute as (...args: number[]) => number);

/** Halves go away from zero: ROUND(-2.5) is -3. */
function round(x: number): number {
  return Math.sign(x) * Math.round(Math.abs(x));
}

export const MATH_FUNCTIONS: FunctionTable = {
  ABS: unary(Math.abs),
  ACOS: unary(Math.acos),
  ASIN: unary(Math.asin),
  ATAN: unary(Math.atan),
  ATN2: binary(Math.atan2),
  CEILING: unary(Math.ceil),
  COS: unary(Math.cos),
  COT: unary((x) => 1 / Math.tan(x)),
  DEGREES: unary((x) => (x * 180) / Math.PI),
  EXP: unary(Math.exp),
  FLOOR: unary(Math.floor),
  LOG: numeric([1, 2], (x = 0, base = Math.E) =>
    base === Math.E ? Math.log(x) : Math.log(x) / Math.log(base),
  ),
  LOG10: unary(Math.log10),
  NUMBERBIN: numeric([1, 2], (x = 0, size = 1) => (size > 0 ? Math.floor(x / size) * size : Number.NaN)),
  PI: fn([0, 0], () => Math.PI),
  POWER: binary((x, y) => x ** y),
  RADIANS: unary((x) => (x * Math.PI) / 180),
  RAND: fn([0, 0], (_args, { random }) => random()),
  ROUND: unary(round),
  SIGN: unary(Math.sign),
  SIN: unary(Math.sin),
  SQRT: unary(Math.sqrt),
  SQUARE: unary((x) => x * x),
  TAN: unary(Math.tan),
  TRUNC: unary(Math.trunc),
};
