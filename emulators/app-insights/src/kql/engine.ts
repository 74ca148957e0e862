import { Budget, DEFAULT_LIMITS, resolveLimits } from './budget.js';
import { KqlError, limitExceeded, type Place } from './errors.js';
import { completions, describeSchema, type RawGlobals } from './language.js';
import { collectResult } from './operators/relation.js';
import { checkSize, compileQuery, type Parsed, parseQuery } from './query.js';
import { toJson } from './result.js';
import type { Session } from './scope.js';
import { columnsOf } from './syntax.js';
import type {
  Analysis,
  Column,
  Completions,
  ExecuteOptions,
  KqlEngine,
  QueryResult,
  TableSource,
} from './types.js';
import { datetimeFromUnixMs } from './values/datetime.js';

export interface EngineOptions {
  /** Wall clock, Unix ms: what `now()` gives when an execution does not say. */
  readonly now?: () => number;
  /** Monotonic clock, ms, for the time limit and the duration. */
  readonly clock?: () => number;
}

/** Builds an engine for a fixed set of tables. The schema's names are what queries see; sources are given per execution. */
export function createKqlEngine(
  schema: Readonly<Record<string, readonly Column[]>>,
  options: EngineOptions = {},
): KqlEngine {
  refuseDecimals(schema);
  const clock = options.clock ?? (() => performance.now());
  const wallClock = options.now ?? Date.now;
  let described: RawGlobals | undefined;
  const globals = (): RawGlobals => {
    described ??= describeSchema(schema);
    return described;
  };
  const startedNow = (given: number | undefined) => given ?? datetimeFromUnixMs(wallClock());
  return {
    execute: (text, sources, execution = {}) =>
      execute({ text, sources, execution, clock, globals: globals(), now: startedNow(execution.now) }),
    analyze: (text) => analyze(text, { globals: globals(), clock, now: startedNow(undefined) }),
    complete: (text, position) => complete(text, position, globals()),
    warm: () => {
      analyze('print 1', { globals: globals(), clock, now: 0 });
    },
  };
}

/** The engine has no decimal arithmetic, so such columns could only be passed through. */
function refuseDecimals(schema: Readonly<Record<string, readonly Column[]>>): void {
  for (const [table, columns] of Object.entries(schema)) {
    const decimal = columns.find((c) => c.type === 'decimal');
    if (decimal !== undefined)
      throw new TypeError(`${table}.${decimal.name}: columns of type decimal are not supported`);
  }
}

interface Execution {
  readonly text: string;
  readonly sources: Readonly<Record<string, TableSource>>;
  readonly execution: ExecuteOptions;
  readonly clock: () => number;
  readonly globals: RawGlobals;
  readonly now: number;
}

function execute({ text, sources, execution, clock, globals, now }: Execution): QueryResult {
  const limits = resolveLimits(execution.limits);
  const started = clock();
  const place: Place = { document: text, start: 0, length: text.length };
  return guarded(place, () => {
    checkSize(text, limits);
    const budget = new Budget(limits, clock, place);
    const parsed = checkedParse(text, globals, budget);
    const session: Session = {
      now,
      sources,
      timespan: execution.timespan ?? {},
      budget,
      running: true,
      compiledNodes: 0,
    };
    const { relation, visualization } = compileQuery(parsed.root, session);
    const rows = collectResult(relation, budget);
    return {
      columns: relation.columns.map(({ name, type }) => ({ name, type })),
      rows: toJson(rows, relation.columns),
      ...(visualization === undefined ? {} : { visualization }),
      stats: {
        durationMs: clock() - started,
        scannedRows: budget.scannedRows,
        resultRows: rows.length,
        peakMemoryBytes: budget.peakBytes,
      },
    };
  });
}

function checkedParse(text: string, globals: RawGlobals, budget: Budget): Parsed {
  const parsed = parseQuery(text, globals, budget);
  if (parsed.failure === undefined) return parsed;
  throw new KqlError(
    parsed.failure,
    parsed.diagnostics.filter((d) => d.severity === 'error'),
  );
}

/** Recursion over a text that passed the nesting limit but is still too deep for the stack is a limit, not a crash. */
function guarded<T>(place: Place, run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (cause instanceof RangeError && /call stack/i.test(cause.message)) {
      throw limitExceeded(place, 'The query, or a value in it, is nested too deeply');
    }
    throw cause;
  }
}

function analyze(text: string, context: { globals: RawGlobals; clock: () => number; now: number }): Analysis {
  const place: Place = { document: text, start: 0, length: text.length };
  try {
    return guarded(place, () => {
      checkSize(text, DEFAULT_LIMITS);
      const budget = new Budget(DEFAULT_LIMITS, context.clock, place);
      const parsed = parseQuery(text, context.globals, budget);
      if (parsed.failure !== undefined) return { diagnostics: parsed.diagnostics, columns: [] };
      const refusals = refusalsOf(parsed, { budget, now: context.now });
      const columns = columnsOf(parsed.code.ResultType) ?? [];
      return {
        diagnostics: [...parsed.diagnostics, ...refusals],
        columns: refusals.length === 0 ? columns : [],
      };
    });
  } catch (error) {
    if (error instanceof KqlError) return { diagnostics: error.diagnostics, columns: [] };
    throw error;
  }
}

/** Compiles without running: what the engine would refuse. Values that only a run knows are missing, so their errors do not count. */
function refusalsOf(parsed: Parsed, { budget, now }: { budget: Budget; now: number }) {
  const session: Session = { now, sources: {}, timespan: {}, budget, running: false, compiledNodes: 0 };
  try {
    compileQuery(parsed.root, session);
    return [];
  } catch (error) {
    if (!(error instanceof KqlError)) throw error;
    return error.code === 'RUNTIME' && /toscalar/.test(parsed.text) ? [] : error.diagnostics;
  }
}

function complete(text: string, position: number, globals: RawGlobals): Completions {
  checkSize(text, DEFAULT_LIMITS);
  const at = Math.min(Math.max(0, position), text.length);
  const { start, length, items } = completions(text, at, globals);
  return {
    editStart: start,
    editLength: length,
    items: items.map(({ kind, label, text: insertText }) => ({ kind, label, insertText })),
  };
}
