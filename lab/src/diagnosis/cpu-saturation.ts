import type { ServiceName } from '@bottleneck-lab/contracts';
import type { Analysis } from '../analysis/analyse.js';
import type { MeasureName } from '../analysis/measure-table.js';
import type { ProcessStatistics } from '../analysis/process-statistics.js';
import { quantity } from '../analysis/quantity.js';
import { evidence, type Finding, found, noData, notFound, type RuleOutcome, scoreOf } from './finding.js';
import { ruHeadroom } from './headroom.js';
import { kneeEvidence } from './knee.js';
import { THRESHOLDS } from './thresholds.js';

const MEAN_OF: Record<ServiceName, MeasureName> = {
  gateway: 'gateway.meanMs',
  delivery: 'delivery.meanMs',
  package: 'package.meanMs',
  'drone-utilization': 'utilization.meanMs',
};

/** A service uses all the CPU it may: its limit, or without one its single event loop. */
export function judgeCpuSaturation(analysis: Analysis): RuleOutcome {
  const rule = 'cpu-saturation';
  const judged = analysis.processes.filter((one) => one.last5sPercent !== null || one.limitCores === null);
  if (judged.length === 0) return noData(rule, 'no process rows');
  const findings = judged.filter((one) => isSaturated(one, analysis)).map((one) => findingFor(one, analysis));
  if (findings.length > 0) return found(rule, ...findings);
  return notFound(rule, judged.map((one) => describe(one)).join('; '));
}

function isSaturated(one: ProcessStatistics, analysis: Analysis): boolean {
  if (one.last5sPercent === null) {
    // An event loop is busy as well while it waits for a processor that another program has.
    return (
      one.eventLoopPercent >= THRESHOLDS.eventLoopPercent && one.eventLoopCores >= THRESHOLDS.eventLoopCores
    );
  }
  if ((one.last5sThrottledPeriodsPercent ?? 0) < THRESHOLDS.throttledPeriodsPercent) return false;
  if (one.last5sPercent >= THRESHOLDS.cpuPercent) return true;
  return (
    one.last5sPercent >= THRESHOLDS.cpuWithSlowdownPercent &&
    (slowdownOf(one.service, analysis)?.factor ?? 0) >= THRESHOLDS.slowdown
  );
}

/** The operation's mean at the end against the first quarter of the load. */
function slowdownOf(service: ServiceName, analysis: Analysis) {
  const measure = MEAN_OF[service];
  const early = analysis.steps.filter((step) => step.toSecond <= analysis.lengthSeconds / 4);
  const firstMs = early.map((step) => step.measures[measure]).filter((value) => value !== undefined);
  const lastMs = analysis.steps.at(-1)?.measures[measure];
  if (firstMs.length === 0 || lastMs === undefined) return null;
  const firstMean = firstMs.reduce((sum, value) => sum + value, 0) / firstMs.length;
  return { firstMs: firstMean, lastMs, factor: lastMs / firstMean, measure };
}

function findingFor(one: ProcessStatistics, analysis: Analysis): Finding {
  const { service } = one;
  const lines =
    one.limitCores === null || one.last5sPercent === null
      ? [
          evidence(
            `the event loop of ${service} was busy ${quantity(one.eventLoopPercent)} % of the last 5 s and used ${quantity(one.eventLoopCores)} cores: a Node process computes on one thread`,
            [`cpu.${service}.eventLoopPercent`],
          ),
        ]
      : [
          evidence(
            `${service} used ${quantity(one.last5sPercent)} % of its limit of ${quantity(one.limitCores)} cores in the last 5 s`,
            [`cpu.${service}.last5sPercent`],
          ),
          evidence(
            `${quantity(one.last5sThrottledPeriodsPercent ?? 0)} % of its enforcement periods were throttled`,
            [`cpu.${service}.last5sThrottledPeriodsPercent`],
          ),
        ];
  const slow = slowdownOf(service, analysis);
  if (slow !== null && slow.factor >= THRESHOLDS.slowdown) {
    lines.push(
      evidence(
        `its operation took ${quantity(slow.lastMs)} ms in the last step, ${quantity(slow.firstMs)} ms in the first ones`,
        [slow.measure],
      ),
    );
  }
  lines.push(...kneeEvidence(analysis), ...ruHeadroom(analysis));
  return {
    name: 'cpu-saturation',
    title: `CPU of ${service}`,
    subject: service,
    score: scoreOf(60 + (one.last5sThrottledPeriodsPercent ?? one.eventLoopPercent) * 0.4),
    confidence: (one.last5sPercent ?? one.eventLoopPercent) >= THRESHOLDS.cpuPercent ? 'high' : 'medium',
    evidence: lines,
    next: [
      {
        text: `Take a CPU profile of ${service} under load and make its hottest function cheaper.`,
        knob: null,
      },
      {
        text: `Raise the CPU limit of ${service} or add a replica, and name what gives way next.`,
        knob: service === 'delivery' ? 'deliveryRequestsPerSecond' : null,
      },
    ],
  };
}

function describe(one: ProcessStatistics): string {
  if (one.last5sPercent === null)
    return `${one.service}: event loop ${quantity(one.eventLoopPercent)} % busy`;
  return `${one.service}: ${quantity(one.last5sPercent)} % of its CPU limit, ${quantity(one.last5sThrottledPeriodsPercent ?? 0)} % of periods throttled`;
}

/** Too busy itself for waits in front of it to mean anything else. */
export function isBusy(one: ProcessStatistics): boolean {
  if (one.last5sPercent === null) return one.eventLoopPercent >= THRESHOLDS.busyCpuPercent;
  return (
    one.last5sPercent >= THRESHOLDS.busyCpuPercent ||
    (one.throttledPeriodsPercent ?? 0) >= THRESHOLDS.busyThrottledPeriodsPercent
  );
}
