import { STRING_OPERATORS } from './string-operators.js';

/** Scalar operators by topic, for the reference page. */
export const SCALAR_OPERATORS: Readonly<Record<string, readonly string[]>> = {
  Arithmetic: ['+', '-', '*', '/', '%'],
  Comparison: ['==', '!=', '<', '<=', '>', '>=', 'between', '!between'],
  Logic: ['and', 'or'],
  Strings: STRING_OPERATORS,
  Membership: ['in', '!in', 'in~', '!in~'],
  'Dynamic values': ['.name', '["name"]', '[index]'],
};
