import type { GroupSummary, MetricSummary, SummaryData } from './summary-data.js';

/**
 * The contents of `--summary-export`, in the older shape that k6 keeps for it: values beside each other, a rate's share
 * is called `value`, checks and groups are objects by name, and a threshold is `false` when it was kept.
 */
export function summaryExport(data: SummaryData): object {
  return {
    root_group: exportGroup(data.root_group),
    metrics: Object.fromEntries(
      Object.entries(data.metrics).map(([name, metric]) => [name, exportMetric(metric)]),
    ),
    ...(data.setup_data !== undefined && { setup_data: data.setup_data }),
  };
}

function exportMetric({ type, values, thresholds }: MetricSummary): object {
  const { rate, ...others } = values;
  const flat = type === 'rate' ? { value: rate, ...others } : values;
  if (thresholds === undefined) return flat;
  const crossed = Object.entries(thresholds).map(([source, { ok }]) => [source, !ok]);
  return { ...flat, thresholds: Object.fromEntries(crossed) };
}

function exportGroup(group: GroupSummary): object {
  return {
    name: group.name,
    path: group.path,
    id: group.id,
    groups: Object.fromEntries(group.groups.map((child) => [child.name, exportGroup(child)])),
    checks: Object.fromEntries(group.checks.map((check) => [check.name, check])),
  };
}
