import type { Step } from './load-profile.ts';

interface Metric {
  values: Record<string, number>;
  thresholds?: Record<string, { ok: boolean }>;
}

/** The part of handleSummary's data that the table is made of. */
export interface SummaryMetrics {
  metrics: Record<string, Metric>;
}

const HEADINGS = ['step', 'requests', 'failed', 'req/s', 'mean ms', 'p50 ms', 'p95 ms', 'p99 ms'];

/** One line per step. A rate is the step's requests over the step's own length: k6's divides by the whole test. */
export function stepTable(data: SummaryMetrics, steps: Step[]): string {
  const rows = steps.map((step) => {
    const value = (metric: string, name: string) =>
      data.metrics[`${metric}{step:${step.label}}`]?.values[name] ?? 0;
    const requests = value('http_reqs', 'count');
    const failed = Math.round(value('http_req_failed', 'rate') * requests);
    const seconds = (step.endMs - step.startMs) / 1000;
    const times = ['avg', 'med', 'p(95)', 'p(99)'].map((name) => value('http_req_duration', name).toFixed(1));
    return [step.label, String(requests), String(failed), (requests / seconds).toFixed(1), ...times];
  });
  const widths = HEADINGS.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => (row[i] as string).length)),
  );
  const line = (cells: string[]) => cells.map((cell, i) => cell.padStart(widths[i] as number)).join('  ');
  return [line(HEADINGS), ...rows.map(line)].join('\n');
}

/** What a reader must know about the run: crossed thresholds, and iterations that did not come to their end. */
export function findings({ metrics }: SummaryMetrics): string[] {
  const crossed = Object.entries(metrics).flatMap(([name, { thresholds }]) =>
    Object.entries(thresholds ?? {})
      .filter(([, { ok }]) => !ok)
      .map(([source]) => `threshold crossed: ${name}: ${source}`),
  );
  const count = (name: string) => metrics[name]?.values.count ?? 0;
  const lost = count('iterations') - count('iterations_ended');
  const dropped = count('dropped_iterations');
  return [
    ...crossed,
    ...(lost > 0
      ? [`${lost} iterations were counted without reaching their end: their checks and pauses are missing`]
      : []),
    ...(dropped > 0 ? [`${dropped} arrivals were dropped: all users were busy`] : []),
  ];
}
