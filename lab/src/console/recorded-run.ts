import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { timelineOf } from '../analysis/timeline.js';
import { mergeDurations } from '../recording/durations.js';
import type { Recording } from '../recording/recording.js';
import type { RunResult } from '../results/index.js';
import type { ChartPoint, RunSummary, RunView } from './api.js';
import { chartPoint, limitedServices } from './chart-point.js';

/** A run as the page shows it, from its recording and its result. */
export function recordedRun(recording: Recording, result: RunResult): RunView {
  return {
    id: result.id,
    scenario: result.scenario.name,
    title: result.scenario.title,
    state: result.status,
    detail: result.reason,
    startedAtMs: result.loadStartMs,
    plannedSeconds: result.plannedSeconds,
    points: recordedPoints(recording),
    steps: result.steps.map(({ name, fromSecond }) => ({ name, fromSecond })),
    turns: result.turnedKnobs,
    limitedServices: limitedServices(recording.rows),
    sealed: result.sealed,
    elsewhere: null,
    result: summaryOf(result),
  };
}

function recordedPoints(recording: Recording): ChartPoint[] {
  const { zero, lengthSeconds } = timelineOf(recording);
  const seconds = Array.from({ length: lengthSeconds }, (): MeasurementRow[] => []);
  for (const row of recording.rows) seconds[row.second - zero]?.push(row);
  let container: string | null = null;
  return seconds.map((rows, second) => {
    const point: ChartPoint = chartPoint({ second, rows, container, load: loadOf(rows) });
    container = point.container;
    return point;
  });
}

function loadOf(rows: readonly MeasurementRow[]) {
  const load = rows.find((row) => row.kind === 'load');
  const durations = mergeDurations(load === undefined ? [] : [load.duration]);
  return {
    users: load?.users ?? 0,
    requests: load?.requests ?? 0,
    failed: load?.failed ?? 0,
    clientMeanMs: durations.meanMs,
    clientP95Ms: durations.percentile(95),
  };
}

function summaryOf({ validity, diagnosis, measures }: RunResult): RunSummary {
  const [best] = diagnosis.findings;
  return {
    valid: validity.valid,
    problems: validity.checks.filter((check) => check.ok === false).map(({ text }) => text),
    bottleneck: best?.title ?? '',
    evidence: best?.evidence.map(({ text }) => text) ?? [],
    next: best?.next.map(({ text }) => text) ?? [],
    measures,
  };
}
