import type { CheckGroup } from './check-tree.js';
import type { MetricRegistry, MetricView } from './metric.js';
import { CounterSink, GaugeSink, RateSink, type Sink } from './sink.js';
import type { ThresholdVerdict } from './threshold-evaluation.js';

export interface MetricSummary {
  type: string;
  contains: string;
  values: Record<string, number>;
  thresholds?: Record<string, { ok: boolean }>;
}

export interface GroupSummary {
  name: string;
  path: string;
  id: string;
  groups: GroupSummary[];
  checks: { name: string; path: string; id: string; passes: number; fails: number }[];
}

/** What `handleSummary(data)` gets; the shape is k6's. */
export interface SummaryData {
  root_group: GroupSummary;
  options: { summaryTrendStats: readonly string[]; summaryTimeUnit: string; noColor: boolean };
  state: { isStdOutTTY: boolean; isStdErrTTY: boolean; testRunDurationMs: number };
  metrics: Record<string, MetricSummary>;
  setup_data?: unknown;
}

export interface SummarySource {
  readonly metrics: MetricRegistry;
  readonly checks: CheckGroup;
  readonly verdicts: readonly ThresholdVerdict[];
  readonly trendStats: readonly string[];
  readonly timeUnit: string;
  readonly noColor: boolean;
  readonly isStdOutTTY: boolean;
  readonly isStdErrTTY: boolean;
  readonly durationMs: number;
  readonly setupData: unknown;
}

export function summaryData(source: SummarySource): SummaryData {
  const { trendStats, durationMs } = source;
  const metrics: Record<string, MetricSummary> = {};
  for (const view of source.metrics.views) {
    if (view.sink.empty && !view.requested) continue;
    const verdicts = source.verdicts.filter((verdict) => verdict.view === view);
    metrics[view.selector] = {
      type: view.metric.type,
      contains: view.metric.contains,
      values: valuesOf(view, { trendStats, durationMs }),
      ...(verdicts.length > 0 && {
        thresholds: Object.fromEntries(verdicts.map(({ threshold, ok }) => [threshold.source, { ok }])),
      }),
    };
  }
  return {
    root_group: groupSummary(source.checks),
    options: { summaryTrendStats: trendStats, summaryTimeUnit: source.timeUnit, noColor: source.noColor },
    state: {
      isStdOutTTY: source.isStdOutTTY,
      isStdErrTTY: source.isStdErrTTY,
      testRunDurationMs: durationMs,
    },
    metrics,
    ...(source.setupData !== undefined && { setup_data: source.setupData }),
  };
}

function valuesOf(
  view: MetricView,
  { trendStats, durationMs }: { trendStats: readonly string[]; durationMs: number },
): Record<string, number> {
  const names = aggregationsOf(view.sink, trendStats);
  return Object.fromEntries(names.map((name) => [name, view.sink.aggregate(name, durationMs) ?? 0]));
}

function aggregationsOf(sink: Sink, trendStats: readonly string[]): readonly string[] {
  if (sink instanceof CounterSink) return ['count', 'rate'];
  if (sink instanceof GaugeSink) return ['value', 'min', 'max'];
  return sink instanceof RateSink ? ['rate', 'passes', 'fails'] : trendStats;
}

function groupSummary(group: CheckGroup): GroupSummary {
  return {
    name: group.name,
    path: group.path,
    id: group.id,
    groups: [...group.groups.values()].filter((child) => !isUnusedPhase(child)).map(groupSummary),
    checks: [...group.checks.values()].map((check) => ({ ...check })),
  };
}

/** setup() and teardown() are groups only when they check something. */
function isUnusedPhase({ path, checks, groups }: CheckGroup): boolean {
  return ['::setup', '::teardown'].includes(path) && checks.size === 0 && groups.size === 0;
}
