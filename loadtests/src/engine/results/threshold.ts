import { parseDuration } from '../duration.js';
import { LoadError } from '../errors.js';
import { type MetricType, percentileOf } from './sink.js';

const OPERATORS: Record<string, (left: number, right: number) => boolean> = {
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '==': (left, right) => left === right,
  '===': (left, right) => left === right,
  '!=': (left, right) => left !== right,
};

const AGGREGATIONS: Record<MetricType, readonly string[]> = {
  counter: ['count', 'rate'],
  gauge: ['value'],
  rate: ['rate'],
  trend: ['avg', 'min', 'max', 'med', 'p(N)'],
};

export interface Threshold {
  /** As written in the script; also its name in the summary. */
  readonly source: string;
  readonly aggregation: string;
  readonly abortOnFail: boolean;
  readonly delayAbortEvalMs: number;
  passes(value: number): boolean;
}

const EXPRESSION =
  /^\s*([a-z]+(?:\(\s*[\d.]+\s*\))?)\s*(<=|>=|===|==|!=|<|>)\s*(-?[\d.]+(?:[eE][+-]?\d+)?)\s*$/;

/** Reads one entry of a metric's thresholds: an expression, or an object with `threshold`, `abortOnFail`, `delayAbortEval`. */
export function parseThreshold(metric: string, entry: unknown): Threshold {
  const fields = typeof entry === 'string' ? { threshold: entry } : entry;
  if (typeof fields !== 'object' || fields === null)
    throw invalid(metric, JSON.stringify(entry), 'must be text or an object');
  const {
    threshold: source,
    abortOnFail = false,
    delayAbortEval = 0,
    ...unknown
  } = fields as Record<string, unknown>;
  const extra = Object.keys(unknown)[0];
  if (extra !== undefined) {
    throw invalid(
      metric,
      String(source),
      `has an unknown field '${extra}'; allowed are threshold, abortOnFail, delayAbortEval`,
    );
  }
  if (typeof source !== 'string') throw invalid(metric, JSON.stringify(entry), "needs 'threshold', a text");
  if (typeof abortOnFail !== 'boolean')
    throw invalid(metric, source, 'has an abortOnFail that is not true or false');
  const delayAbortEvalMs = parseDuration(delayAbortEval ?? 0);
  if (delayAbortEvalMs === undefined)
    throw invalid(metric, source, "has a delayAbortEval that is not a duration like '10s'");
  const match = EXPRESSION.exec(source);
  const limit = match === null ? Number.NaN : Number(match[3]);
  if (match === null || Number.isNaN(limit)) {
    throw invalid(
      metric,
      source,
      "is not of the form 'aggregation operator number', for example 'p(95)<500'",
    );
  }
  const compare = OPERATORS[match[2] as string] as (left: number, right: number) => boolean;
  return {
    source,
    aggregation: (match[1] as string).replaceAll(' ', ''),
    abortOnFail,
    delayAbortEvalMs,
    passes: (value) => compare(value, limit),
  };
}

/** Refuses an aggregation that the metric's type does not have. */
export function checkAggregation(metric: string, type: MetricType, threshold: Threshold): void {
  const percentile = threshold.aggregation === 'med' || threshold.aggregation.startsWith('p(');
  const known =
    type === 'trend' && percentile
      ? percentileOf(threshold.aggregation) !== undefined
      : AGGREGATIONS[type].includes(threshold.aggregation);
  if (known) return;
  const allowed = AGGREGATIONS[type].join(', ');
  throw invalid(
    metric,
    threshold.source,
    `uses '${threshold.aggregation}'; a ${type} has ${allowed}${type === 'trend' ? ' with N from 0 to 100' : ''}`,
  );
}

/** Splits `http_reqs{step:3,name:GET /x}` into the metric's name and the tags that a sample must carry. */
export function parseMetricSelector(selector: string): { name: string; tags: Record<string, string> } {
  const open = selector.indexOf('{');
  if (open === -1) return { name: selector, tags: {} };
  const name = selector.slice(0, open);
  const tags: Record<string, string> = {};
  if (!selector.endsWith('}')) throw invalidSelector(selector);
  for (const pair of selector.slice(open + 1, -1).split(',')) {
    const colon = pair.indexOf(':');
    if (colon < 1) throw invalidSelector(selector);
    tags[unquote(pair.slice(0, colon))] = unquote(pair.slice(colon + 1));
  }
  return { name, tags };
}

function unquote(text: string): string {
  const trimmed = text.trim();
  return /^(["']).*\1$/.test(trimmed) ? trimmed.slice(1, -1) : trimmed;
}

function invalid(metric: string, source: string, problem: string): LoadError {
  return new LoadError('LOAD_THRESHOLD_INVALID', `thresholds.${metric}: '${source}' ${problem}`);
}

function invalidSelector(selector: string): LoadError {
  return new LoadError(
    'LOAD_THRESHOLD_INVALID',
    `thresholds: '${selector}' is not a metric or a sub-metric like http_req_duration{step:3}`,
  );
}
