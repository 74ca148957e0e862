import type { Analysis } from '../analysis/analyse.js';
import { judgeConnectionPool } from './connection-pool.js';
import { judgeCpuSaturation } from './cpu-saturation.js';
import { judgeErrors } from './errors-at-client.js';
import { judgeCrossPartitionCost, judgeSerialFanOut } from './fan-out.js';
import type { FindingName, RuleClass, RuleOutcome } from './finding.js';
import { judgeHotPartition } from './hot-partition.js';
import { judgeInvalidRun, judgeLoadGenerator } from './measurement.js';
import { judgeThrottling } from './throttling.js';
import type { Validity } from './validity.js';

/** One row of the rule set. `condition` is what docs/reference/diagnosis.md says, in words. */
export interface Rule {
  name: Exclude<FindingName, 'none-found'>;
  class: Exclude<RuleClass, 'nothing'>;
  condition: string;
  judge(input: { analysis: Analysis; validity: Validity }): RuleOutcome;
}

export const RULES: readonly Rule[] = [
  {
    name: 'invalid-run',
    class: 'measurement',
    condition: 'any validity check failed (the load generator has a rule of its own)',
    judge: ({ validity }) => judgeInvalidRun(validity),
  },
  {
    name: 'generator-saturated',
    class: 'measurement',
    condition: 'the load generator says so, or its event loop stood still for generatorDelayMs',
    judge: ({ validity }) => judgeLoadGenerator(validity),
  },
  {
    name: 'hot-partition',
    class: 'limit',
    condition:
      'a physical partition of the queried container got hotPartitionSkew times the mean of the requests, and was throttled or reached nearLimitPercent of its limit',
    judge: ({ analysis }) => judgeHotPartition(analysis),
  },
  {
    name: 'throttling',
    class: 'limit',
    condition:
      'throttledPercent or more of the requests to a container were answered 429, in the whole load or its last quarter',
    judge: ({ analysis }) => judgeThrottling(analysis),
  },
  {
    name: 'cpu-saturation',
    class: 'limit',
    condition:
      'in the last 5 s a service used cpuPercent of its limit (or cpuWithSlowdownPercent, and its operation took slowdown times as long as in the first quarter) and throttledPeriodsPercent of its periods were throttled; without a limit, its event loop was busy eventLoopPercent of the time and used eventLoopCores',
    judge: ({ analysis }) => judgeCpuSaturation(analysis),
  },
  {
    name: 'connection-pool',
    class: 'limit',
    condition:
      'of a call from the gateway, outsidePercent and outsideMs or more are spent outside the called service, that is outsideOfInvoicePercent of the invoice, and both ends are below busyCpuPercent and busyThrottledPeriodsPercent',
    judge: ({ analysis }) => judgeConnectionPool(analysis),
  },
  {
    name: 'errors',
    class: 'symptom',
    condition: 'errorPercent or more of the requests failed at the client',
    judge: ({ analysis }) => judgeErrors(analysis),
  },
  {
    name: 'serial-fan-out',
    class: 'structure',
    condition:
      'an operation makes fanOutQueries or more partition queries, their time added up is serialOverlapMin to serialOverlapMax of its duration, and it takes operationOfInvoicePercent of the invoice',
    judge: ({ analysis }) => judgeSerialFanOut(analysis),
  },
  {
    name: 'cross-partition-cost',
    class: 'structure',
    condition:
      'an operation makes fanOutQueries or more partition queries at the same time (above serialOverlapMax), pays paidShare or more of what they cost each, the hottest partition reached nearLimitPercent of its limit, and fewer than throttledPercent were throttled',
    judge: ({ analysis }) => judgeCrossPartitionCost(analysis),
  },
];
