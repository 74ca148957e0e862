import { LoadError } from '../errors.js';
import { createSink, type MetricType, type Sink } from './sink.js';
import type { TagSet } from './tags.js';
import { checkAggregation, parseMetricSelector, parseThreshold, type Threshold } from './threshold.js';

/** What a metric's values are, as the summary and the points file name it. */
export type Contains = 'default' | 'time' | 'data';

/** A metric or one of its sub-metrics; `selector` is its name in summaries and thresholds. */
export interface MetricView {
  readonly selector: string;
  readonly metric: Metric;
  readonly sink: Sink;
  readonly thresholds: Threshold[];
  /** Set by the script's thresholds, even with an empty list: such a view is always part of the summary. */
  requested: boolean;
}

export interface SubMetric extends MetricView {
  readonly tags: Readonly<Record<string, string>>;
}

export interface Metric extends MetricView {
  readonly name: string;
  readonly type: MetricType;
  readonly contains: Contains;
  readonly subMetrics: SubMetric[];
}

/** Receives every sample, for example to write it to a file. `timeMs` is Unix time with a fraction. */
export type SampleListener = (metric: Metric, value: number, tags: TagSet, timeMs: number) => void;

const NAME = /^[a-zA-Z_]\w{1,128}$/;

const BUILT_IN: readonly (readonly [name: string, type: MetricType, contains: Contains])[] = [
  ['vus', 'gauge', 'default'],
  ['vus_max', 'gauge', 'default'],
  ['iterations', 'counter', 'default'],
  ['iteration_duration', 'trend', 'time'],
  ['dropped_iterations', 'counter', 'default'],
  ['checks', 'rate', 'default'],
  ['group_duration', 'trend', 'time'],
  ['http_reqs', 'counter', 'default'],
  ['http_req_duration', 'trend', 'time'],
  ['http_req_blocked', 'trend', 'time'],
  ['http_req_connecting', 'trend', 'time'],
  ['http_req_tls_handshaking', 'trend', 'time'],
  ['http_req_sending', 'trend', 'time'],
  ['http_req_waiting', 'trend', 'time'],
  ['http_req_receiving', 'trend', 'time'],
  ['http_req_failed', 'rate', 'default'],
  ['data_sent', 'counter', 'data'],
  ['data_received', 'counter', 'data'],
];

/** All metrics of a run: k6's built-in ones and those the script makes. */
export class MetricRegistry {
  readonly #metrics = new Map<string, Metric>();
  readonly #listeners: SampleListener[] = [];

  constructor() {
    for (const [name, type, contains] of BUILT_IN) this.define(name, type, contains);
    this.#subMetric(this.get('http_req_duration') as Metric, 'http_req_duration{expected_response:true}');
  }

  get all(): Iterable<Metric> {
    return this.#metrics.values();
  }

  /** Metrics and sub-metrics. */
  get views(): MetricView[] {
    return [...this.#metrics.values()].flatMap((metric) => [metric as MetricView, ...metric.subMetrics]);
  }

  get(name: string): Metric | undefined {
    return this.#metrics.get(name);
  }

  /** The same name again is the same metric; with another type it is an error. */
  define(name: string, type: MetricType, contains: Contains = 'default'): Metric {
    if (!NAME.test(name)) {
      throw new TypeError(
        `'${name}' is not a metric name: 2 to 129 letters, digits or underscores, not starting with a digit`,
      );
    }
    const known = this.#metrics.get(name);
    if (known !== undefined) {
      if (known.type === type && known.contains === contains) return known;
      throw new TypeError(`metric '${name}' already exists with type ${known.type} (${known.contains})`);
    }
    const metric: Metric = {
      name,
      type,
      contains,
      subMetrics: [],
      selector: name,
      sink: createSink(type),
      thresholds: [],
      requested: false,
      get metric() {
        return metric;
      },
    };
    this.#metrics.set(name, metric);
    return metric;
  }

  /** Adds the script's thresholds; call after the script has defined its metrics. */
  addThresholds(thresholds: Record<string, unknown>): void {
    for (const [selector, entries] of Object.entries(thresholds)) {
      const { name, tags } = parseMetricSelector(selector);
      const metric = this.#metrics.get(name);
      if (metric === undefined) {
        throw new LoadError(
          'LOAD_THRESHOLD_INVALID',
          `thresholds: there is no metric '${name}'; known are ${[...this.#metrics.keys()].join(', ')}`,
        );
      }
      if (!Array.isArray(entries)) {
        throw new LoadError('LOAD_THRESHOLD_INVALID', `thresholds.${selector} must be a list`);
      }
      const view = Object.keys(tags).length === 0 ? metric : this.#subMetric(metric, selector);
      view.requested = true;
      for (const entry of entries) {
        const threshold = parseThreshold(selector, entry);
        checkAggregation(selector, metric.type, threshold);
        view.thresholds.push(threshold);
      }
    }
  }

  listen(listener: SampleListener): void {
    this.#listeners.push(listener);
  }

  add(metric: Metric, value: number, tags: TagSet, timeMs: number): void {
    metric.sink.add(value);
    if (metric.subMetrics.length > 0) {
      for (const sub of matchingSubMetrics(metric, tags)) sub.sink.add(value);
    }
    for (const listener of this.#listeners) listener(metric, value, tags, timeMs);
  }

  #subMetric(metric: Metric, selector: string): SubMetric {
    const known = metric.subMetrics.find((sub) => sub.selector === selector);
    if (known !== undefined) return known;
    const sub: SubMetric = {
      selector,
      metric,
      tags: parseMetricSelector(selector).tags,
      sink: createSink(metric.type),
      thresholds: [],
      requested: false,
    };
    metric.subMetrics.push(sub);
    return sub;
  }
}

function matchingSubMetrics(metric: Metric, tags: TagSet): SubMetric[] {
  const known = tags.matches.get(metric) as SubMetric[] | undefined;
  if (known !== undefined) return known;
  const matching = metric.subMetrics.filter((sub) =>
    Object.entries(sub.tags).every(([name, value]) => tags.values[name] === value),
  );
  tags.matches.set(metric, matching);
  return matching;
}
