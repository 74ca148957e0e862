import { unsupported } from '../errors.js';
import { modulo } from '../expressions/arithmetic.js';
import {
  constantValue,
  derived,
  type Expr,
  isInteger,
  isNumeric,
  typeOf,
} from '../expressions/expression.js';
import { EPOCH_DAYS_SINCE_YEAR_1, TICKS_PER_DAY } from '../values/datetime.js';
import type { Call, FunctionTable } from './function.js';

/** Rounds a value down to a multiple of a positive size; null for a size that is not positive. */
export type RoundDown = (value: number, size: number) => number | null;

/** Ticks from year 1 to the engine's epoch, modulo a size: computed with bigint, as the ticks themselves exceed 2^53. */
function epochOffset(size: number): number {
  const ticks = BigInt(EPOCH_DAYS_SINCE_YEAR_1) * BigInt(TICKS_PER_DAY);
  return Number.isInteger(size) ? Number(ticks % BigInt(size)) : 0;
}

const roundInteger: RoundDown = (value, size) => (size > 0 ? value - modulo(value, size) : null);
const roundReal: RoundDown = (value, size) => (size > 0 ? Math.floor(value / size) * size : null);

/** Kusto counts bins from the year 1, so that seven-day bins begin on Mondays. */
function datetimeRounder(): RoundDown {
  let lastSize = 0;
  let offset = 0;
  return (value, size) => {
    if (!(size > 0)) return null;
    if (size !== lastSize) {
      lastSize = size;
      offset = epochOffset(size);
    }
    return value - modulo(modulo(value, size) + offset, size);
  };
}

/** The rounding of `bin()` for its argument types, or undefined when they do not go together. */
export function binRounding(value: Expr['type'], size: Expr['type']): RoundDown | undefined {
  if (value === 'datetime' && size === 'timespan') return datetimeRounder();
  if (value === 'timespan' && size === 'timespan') return roundInteger;
  if (isInteger(value) && isInteger(size)) return roundInteger;
  return isNumeric(value) && isNumeric(size) ? roundReal : undefined;
}

function bin(call: Call): Expr {
  const [value, size] = call.args as [Expr, Expr];
  const round = call.args.length === 2 ? binRounding(value.type, size.type) : undefined;
  if (round === undefined)
    throw unsupported(call.node, `${call.name}(${call.args.map((a) => a.type).join(', ')})`);
  const read = value.read as (row: unknown) => number | null;
  const type = typeOf(call.node);
  const fixed = size.constant ? (constantValue(size) as number | null) : null;
  if (fixed !== null) {
    return derived(type, [value], (row) => {
      const v = read(row);
      return v === null ? null : round(v, fixed);
    });
  }
  return derived(type, [value, size], (row) => {
    const v = read(row);
    const s = size.read(row) as number | null;
    return v === null || s === null ? null : round(v, s);
  });
}

function binAt(call: Call): Expr {
  const [value, size, fixed] = call.args as [Expr, Expr, Expr];
  const temporal = value.type === 'datetime' || value.type === 'timespan';
  const fits = temporal
    ? size.type === 'timespan' && fixed.type === value.type
    : isNumeric(value.type) && isNumeric(size.type) && isNumeric(fixed.type);
  if (!fits) throw unsupported(call.node, `bin_at(${call.args.map((a) => a.type).join(', ')})`);
  const round = temporal || (isInteger(value.type) && isInteger(size.type)) ? roundInteger : roundReal;
  return derived(typeOf(call.node), [value, size, fixed], (row) => {
    const v = value.read(row) as number | null;
    const s = size.read(row) as number | null;
    const f = fixed.read(row) as number | null;
    if (v === null || s === null || f === null) return null;
    const down = round(v - f, s);
    return down === null ? null : f + down;
  });
}

const BIN_NOTE = 'Null for a size that is not positive. Datetime bins count from the year 1.';

export const BIN_FUNCTIONS: FunctionTable = {
  bin: { signature: 'bin(value, size)', note: BIN_NOTE, compile: bin },
  floor: { signature: 'floor(value, size)', note: 'The same as bin().', compile: bin },
  bin_at: { signature: 'bin_at(value, size, fixed_point)', compile: binAt },
};
