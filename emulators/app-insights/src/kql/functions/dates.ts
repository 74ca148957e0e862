import { runtimeError, unsupported } from '../errors.js';
import { datetimeInRange } from '../expressions/arithmetic.js';
import { constant, derived, type Expr, requireConstant } from '../expressions/expression.js';
import {
  datetimeFields,
  datetimeFromUnixMs,
  datetimeOfDay,
  TICKS_PER_DAY,
  TICKS_PER_HOUR,
  TICKS_PER_MINUTE,
  TICKS_PER_MS,
  TICKS_PER_SECOND,
} from '../values/datetime.js';
import { formatDatetime, formatTimespan } from './date-formats.js';
import { type Call, checkedArguments, type FunctionTable, type ScalarFunction, strict } from './function.js';

type Calendar = 'day' | 'week' | 'month' | 'year';

/** Begin of the calendar period that is `offset` periods away. Weeks begin on Sunday. */
function startOf(period: Calendar, datetime: number, offset = 0): number {
  const { year, month, day, weekday } = datetimeFields(datetime);
  switch (period) {
    case 'day':
      return datetimeOfDay(year, month, day + offset);
    case 'week':
      return datetimeOfDay(year, month, day - weekday + 7 * offset);
    case 'month':
      return datetimeOfDay(year, month + offset, 1);
    case 'year':
      return datetimeOfDay(year + offset, 1, 1);
  }
}

function startFunction(period: Calendar): ScalarFunction {
  return strict({
    signature: `startof${period}(value: datetime [, offset: long]): datetime`,
    ...(period === 'week' ? { note: 'Weeks begin on Sunday.' } : {}),
    params: ['datetime', 'integer?'],
    result: 'datetime',
    apply: (value: number, offset?: number) => startOf(period, value, offset),
  });
}

function endFunction(period: Calendar): ScalarFunction {
  return strict({
    signature: `endof${period}(value: datetime [, offset: long]): datetime`,
    params: ['datetime', 'integer?'],
    result: 'datetime',
    apply: (value: number, offset = 0) => startOf(period, value, offset + 1) - 1,
  });
}

function field(name: string, read: (value: number) => number): ScalarFunction {
  return strict({ signature: `${name}(value: datetime)`, params: ['datetime'], apply: read });
}

const FIXED_PERIODS: Readonly<Record<string, number>> = {
  day: TICKS_PER_DAY,
  hour: TICKS_PER_HOUR,
  minute: TICKS_PER_MINUTE,
  second: TICKS_PER_SECOND,
  millisecond: TICKS_PER_MS,
  microsecond: 10,
};

/** Period number since some fixed point: differences of these are what datetime_diff() counts. */
function periodNumber(period: string, datetime: number): number | undefined {
  const ticks = FIXED_PERIODS[period];
  if (ticks !== undefined) return Math.floor(datetime / ticks);
  const { year, month } = datetimeFields(datetime);
  switch (period) {
    case 'year':
      return year;
    case 'quarter':
      return year * 4 + Math.floor((month - 1) / 3);
    case 'month':
      return year * 12 + month;
    case 'week':
      return startOf('week', datetime) / (7 * TICKS_PER_DAY);
    case 'nanosecond':
      return datetime * 100;
    default:
      return undefined;
  }
}

function periodName(call: Call, expr: Expr): string {
  return String(requireConstant(expr, call.node, 'a period name')).toLowerCase();
}

function datetimeDiff(call: Call): Expr {
  const [period, a, b] = checkedArguments(call, ['text', 'datetime', 'datetime']) as [Expr, Expr, Expr];
  const name = periodName(call, period);
  if (periodNumber(name, 0) === undefined)
    throw runtimeError(call.node, `datetime_diff() has no period "${name}"`);
  return derived('long', [a, b], (row) => {
    const x = a.read(row) as number | null;
    const y = b.read(row) as number | null;
    if (x === null || y === null) return null;
    if (name === 'nanosecond') return (x - y) * 100;
    return (periodNumber(name, x) as number) - (periodNumber(name, y) as number);
  });
}

function addMonths(datetime: number, months: number): number {
  const { year, month, day, weekday: _, ...time } = datetimeFields(datetime);
  const lastDay = datetimeFields(datetimeOfDay(year, month + months + 1, 0)).day;
  const rest =
    (time.hour * 60 + time.minute) * TICKS_PER_MINUTE + time.second * TICKS_PER_SECOND + time.ticks;
  return datetimeOfDay(year, month + months, Math.min(day, lastDay)) + rest;
}

const MONTHS: Readonly<Record<string, number>> = { month: 1, quarter: 3, year: 12 };

function datetimeAdd(call: Call): Expr {
  const [period, amount, value] = checkedArguments(call, ['text', 'integer', 'datetime']) as [
    Expr,
    Expr,
    Expr,
  ];
  const name = periodName(call, period);
  const months = MONTHS[name];
  const ticks = name === 'week' ? 7 * TICKS_PER_DAY : FIXED_PERIODS[name];
  if (months === undefined && ticks === undefined) {
    throw runtimeError(call.node, `datetime_add() has no period "${name}"`);
  }
  return derived('datetime', [amount, value], (row) => {
    const n = amount.read(row) as number | null;
    const v = value.read(row) as number | null;
    if (n === null || v === null) return null;
    const sum = months === undefined ? v + n * (ticks as number) : addMonths(v, n * months);
    return datetimeInRange(sum, call.node);
  });
}

function now(call: Call): Expr {
  const [offset] = checkedArguments(call, ['timespan?']);
  const { now: instant } = call.scope.session;
  if (offset === undefined) return constant('datetime', instant);
  return derived('datetime', [offset], (row) => shifted(instant, offset.read(row) as number | null, call));
}

function ago(call: Call): Expr {
  const [age] = checkedArguments(call, ['timespan']) as [Expr];
  const { now: instant } = call.scope.session;
  return derived('datetime', [age], (row) => {
    const span = age.read(row) as number | null;
    return shifted(instant, span === null ? null : -span, call);
  });
}

function shifted(instant: number, span: number | null, call: Call): number | null {
  return span === null ? null : datetimeInRange(instant + span, call.node);
}

/** ISO 8601: the week of the year's first Thursday is week 1. */
function isoWeek(datetime: number): number {
  const { weekday } = datetimeFields(datetime);
  const thursday = startOf('day', datetime, 3 - ((weekday + 6) % 7));
  return Math.floor((thursday - startOf('year', thursday)) / (7 * TICKS_PER_DAY)) + 1;
}

function makeDatetime(call: Call): Expr {
  const args = checkedArguments(call, ['integer', 'integer', 'integer', 'integer?', 'integer?', 'number?']);
  if (args.length === 4) throw unsupported(call.node, 'make_datetime() with 4 arguments');
  return derived('datetime', args, (row) => {
    const values = args.map((a) => a.read(row) as number | null);
    if (values.includes(null)) return null;
    const [year, month, day, hour = 0, minute = 0, second = 0] = values as [
      number,
      number,
      number,
      ...number[],
    ];
    const date = datetimeOfDay(year, month, day);
    const fields = datetimeFields(date);
    const valid =
      year >= 1 &&
      year <= 9999 &&
      fields.month === month &&
      fields.day === day &&
      fields.year === year &&
      hour >= 0 &&
      hour < 24 &&
      minute >= 0 &&
      minute < 60 &&
      second >= 0 &&
      second < 60;
    return valid
      ? date + hour * TICKS_PER_HOUR + minute * TICKS_PER_MINUTE + Math.round(second * TICKS_PER_SECOND)
      : null;
  });
}

function fromUnix(name: string, msPerUnit: number): ScalarFunction {
  return {
    signature: `${name}(value: number): datetime`,
    compile: (call) => {
      const [value] = checkedArguments(call, ['number']) as [Expr];
      return derived('datetime', [value], (row) => {
        const v = value.read(row) as number | null;
        return v === null || !Number.isFinite(v)
          ? null
          : datetimeInRange(datetimeFromUnixMs(v * msPerUnit), call.node);
      });
    },
  };
}

export const DATE_FUNCTIONS: FunctionTable = {
  now: {
    signature: 'now([offset: timespan]): datetime',
    note: 'The same instant in the whole query.',
    compile: now,
  },
  ago: { signature: 'ago(age: timespan): datetime', compile: ago },
  startofday: startFunction('day'),
  startofweek: startFunction('week'),
  startofmonth: startFunction('month'),
  startofyear: startFunction('year'),
  endofday: endFunction('day'),
  endofweek: endFunction('week'),
  endofmonth: endFunction('month'),
  endofyear: endFunction('year'),
  dayofweek: strict({
    signature: 'dayofweek(value: datetime): timespan',
    note: 'Days since Sunday.',
    params: ['datetime'],
    result: 'timespan',
    apply: (value: number) => datetimeFields(value).weekday * TICKS_PER_DAY,
  }),
  dayofmonth: field('dayofmonth', (value) => datetimeFields(value).day),
  dayofyear: field(
    'dayofyear',
    (value) => (startOf('day', value) - startOf('year', value)) / TICKS_PER_DAY + 1,
  ),
  hourofday: field('hourofday', (value) => datetimeFields(value).hour),
  monthofyear: field('monthofyear', (value) => datetimeFields(value).month),
  getmonth: field('getmonth', (value) => datetimeFields(value).month),
  getyear: field('getyear', (value) => datetimeFields(value).year),
  week_of_year: field('week_of_year', isoWeek),
  datetime_diff: {
    signature: 'datetime_diff(period: string, later: datetime, earlier: datetime): long',
    note: 'Counts crossed period boundaries; weeks begin on Sunday.',
    compile: datetimeDiff,
  },
  datetime_add: {
    signature: 'datetime_add(period: string, amount: long, value: datetime): datetime',
    compile: datetimeAdd,
  },
  make_datetime: {
    signature: 'make_datetime(year, month, day [, hour, minute [, second]]): datetime',
    compile: makeDatetime,
  },
  unixtime_seconds_todatetime: fromUnix('unixtime_seconds_todatetime', 1000),
  unixtime_milliseconds_todatetime: fromUnix('unixtime_milliseconds_todatetime', 1),
  format_datetime: formatFunction('datetime', formatDatetime),
  format_timespan: formatFunction('timespan', formatTimespan),
};

function formatFunction(type: 'datetime' | 'timespan', format: typeof formatDatetime): ScalarFunction {
  const name = `format_${type}`;
  return {
    signature: `${name}(value: ${type}, format: string): string`,
    note: 'The documented specifiers and delimiters; others are an error.',
    compile: (call) => {
      const [value, pattern] = checkedArguments(call, [type, 'text']) as [Expr, Expr];
      return derived('string', [value, pattern], (row) => {
        const v = value.read(row) as number | null;
        if (v === null) return '';
        const text = pattern.read(row) as string;
        const result = format(v, text);
        if (result !== undefined) return result;
        throw runtimeError(call.node, `${name}() does not know the format ${JSON.stringify(text)}`);
      });
    },
  };
}
