import { BIN_FUNCTIONS } from './bins.js';
import { CONDITION_FUNCTIONS } from './conditions.js';
import { CONVERSION_FUNCTIONS } from './conversions.js';
import { DATE_FUNCTIONS } from './dates.js';
import { DYNAMIC_FUNCTIONS } from './dynamics.js';
import type { FunctionTable, ScalarFunction } from './function.js';
import { NUMBER_FUNCTIONS } from './numbers.js';
import { STRING_FUNCTIONS } from './strings.js';

/** Every scalar function of the engine, by topic: the evaluator and the reference page read this one table. */
export const FUNCTION_TOPICS: Readonly<Record<string, FunctionTable>> = {
  Strings: STRING_FUNCTIONS,
  Conditions: CONDITION_FUNCTIONS,
  Conversions: CONVERSION_FUNCTIONS,
  Numbers: NUMBER_FUNCTIONS,
  Bins: BIN_FUNCTIONS,
  'Dates and times': DATE_FUNCTIONS,
  'Dynamic values': DYNAMIC_FUNCTIONS,
};

const functions = new Map<string, ScalarFunction>(
  Object.values(FUNCTION_TOPICS).flatMap((topic) => Object.entries(topic)),
);

export function scalarFunction(name: string): ScalarFunction | undefined {
  return functions.get(name);
}
