import type { Contains, Metric, MetricRegistry } from '../results/metric.js';
import type { MetricType } from '../results/sink.js';
import type { TagSet } from '../results/tags.js';

export interface MetricsModuleHost {
  readonly metrics: MetricRegistry;
  readonly tags: TagSet;
  readonly throwOnFailure: boolean;
  assertLoading(what: string): void;
  assertRunning(what: string): void;
  now(): number;
  warn(message: string): void;
}

/** `k6/metrics` for one virtual user. Metrics of one name are one metric for all users. */
export function metricsModule(host: MetricsModuleHost): Record<string, unknown> {
  return {
    Counter: metricClass(host, 'Counter', 'counter'),
    Gauge: metricClass(host, 'Gauge', 'gauge'),
    Rate: metricClass(host, 'Rate', 'rate'),
    Trend: metricClass(host, 'Trend', 'trend'),
  };
}

function metricClass(host: MetricsModuleHost, className: string, type: MetricType) {
  return class {
    readonly name: string;
    readonly #metric: Metric;

    constructor(name: unknown, isTime: unknown = false) {
      host.assertLoading(`new ${className}()`);
      const contains: Contains = isTime === true ? 'time' : 'default';
      this.#metric = host.metrics.define(String(name), type, contains);
      this.name = this.#metric.name;
    }

    /** Numbers, booleans and numeric texts; anything else is reported and left out. */
    add(value: unknown, tags?: Record<string, unknown>): boolean {
      host.assertRunning(`adding to the metric '${this.name}'`);
      const number = toNumber(value);
      if (number === undefined) {
        const message = `'${String(value)}' is not a value for the metric '${this.name}'`;
        if (host.throwOnFailure) throw new TypeError(message);
        host.warn(message);
        return false;
      }
      host.metrics.add(this.#metric, number, host.tags.withAll(readTags(tags)), host.now());
      return true;
    }
  };
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  if (value === null || value === undefined || value === '') return undefined;
  const number = Number(value);
  return Number.isNaN(number) ? undefined : number;
}

export function readTags(tags: Record<string, unknown> | null | undefined): Record<string, string> {
  const result: Record<string, string> = {};
  for (const name in tags ?? {}) result[name] = tagValue(name, (tags as Record<string, unknown>)[name]);
  return result;
}

export function tagValue(name: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  throw new TypeError(`the tag '${name}' must be text, a number or a boolean`);
}
