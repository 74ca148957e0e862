import { type CpuSeries, cpuSeries } from '../../analysis/cpu-series.js';
import { timelineOf } from '../../analysis/timeline.js';
import type { Recording } from '../../recording/recording.js';
import type { RunResult } from '../../results/result-schema.js';
import { type SecondSeries, secondSeries } from '../../results/second-series.js';
import type { Operation } from '../../telemetry/operation.js';

/** One transaction to show, and why this one. */
export interface ShownTransaction {
  /** In a few words: `the slowest operation`. */
  what: string;
  operation: Operation;
}

/** Transactions read from a run's telemetry, or a sentence on why there are none. */
export type Transactions = { shown: ShownTransaction[] } | { missing: string };

/** Everything that a report shows of one run. */
export interface ReportedRun {
  result: RunResult;
  series: SecondSeries;
  cpu: CpuSeries[];
  transactions: Transactions;
}

export function reportedRun(
  recording: Recording,
  result: RunResult,
  transactions: Transactions = { missing: whyNoTransaction(result) },
): ReportedRun {
  const timeline = timelineOf(recording);
  return {
    result,
    series: secondSeries(recording),
    cpu: cpuSeries(timeline, timeline.load),
    transactions,
  };
}

/** Where a run has no telemetry of its own to look into, and what to do about it. */
export function whyNoTransaction({ telemetry, telemetryUse, scenario, target, id }: RunResult): string {
  if (target.kind === 'attach') {
    return 'The load went to a system that the lab only attached to, so the lab did not take in its telemetry. Look the transaction up where that system sends its own.';
  }
  if (!telemetry) {
    return `Services sent no telemetry in this run, so no transaction can be followed. To get one: lab run ${scenario.name} --telemetry`;
  }
  if (telemetryUse?.receiver === 'azure') {
    return `The telemetry of this run went to an Application Insights resource. To get a transaction: open its Transaction search and filter the property lab.run by ${id}.`;
  }
  return `Services sent telemetry, but nothing of it was recorded with this run. To get a transaction: lab run ${scenario.name} --telemetry`;
}
