import type { Analysis } from '../analysis/analyse.js';
import type { PartitionStatistics } from '../analysis/partition-statistics.js';
import { quantity } from '../analysis/quantity.js';
import { sumOf } from '../analysis/windows.js';
import { evidence, found, noData, notFound, type RuleOutcome, scoreOf } from './finding.js';
import { THRESHOLDS } from './thresholds.js';
import { partitionEvidence } from './throttling.js';

/** One physical partition takes far more than its share and comes to its limit while the others idle. */
export function judgeHotPartition(analysis: Analysis): RuleOutcome {
  const rule = 'hot-partition';
  const own = analysis.partitions.filter((one) => one.container === analysis.queriedContainer);
  if (own.length < 2)
    return noData(rule, 'fewer than two physical partitions of the queried container gave rows');
  const total = sumOf(own.map((one) => one.requestUnits));
  if (total === 0) return noData(rule, 'no request units were consumed');
  const busiest = own.reduce((most, one) => (demandOf(one) > demandOf(most) ? one : most));
  const skew = demandOf(busiest) / (sumOf(own.map(demandOf)) / own.length);
  const percent = (100 * busiest.peakRuPerSecond) / busiest.limitRuPerSecond;
  if (skew < THRESHOLDS.hotPartitionSkew) {
    return notFound(
      rule,
      `the busiest partition had ${quantity(skew)} times the mean, below ${THRESHOLDS.hotPartitionSkew}`,
    );
  }
  if (percent < THRESHOLDS.nearLimitPercent && busiest.throttled === 0) {
    return notFound(
      rule,
      `partition ${busiest.partition} had ${quantity(skew)} times the mean, but used only ${quantity(percent)} % of its limit`,
    );
  }
  const throttled = sumOf(own.map((one) => one.throttled));
  return found(rule, {
    name: rule,
    title: `Hot partition ${busiest.partition}`,
    subject: busiest.partition,
    // Where there are 429s, this says why, so it outranks plain throttling; without, it is a limit in sight.
    score: scoreOf(throttled > 0 ? 100 : 50),
    confidence: skew >= 1.5 * THRESHOLDS.hotPartitionSkew ? 'high' : 'medium',
    evidence: [
      evidence(
        `partition ${busiest.partition} got ${quantity(skew)} times as many requests as the mean of the ${own.length} partitions`,
        ['partition.skew'],
        `partition rows of ${busiest.container}`,
      ),
      partitionEvidence(busiest),
      ...(throttled > 0
        ? [
            evidence(
              `${quantity((100 * busiest.throttled) / throttled)} % of all 429s came from it`,
              [],
              'throttled of the partition rows',
            ),
          ]
        : []),
    ],
    next: [
      {
        text: 'Find the partition key value that gets the load, and choose a key that spreads it, or cache what it reads: more throughput would be shared with partitions that do not need it.',
        knob: 'partitionKey',
      },
    ],
  });
}

/** Requests that wanted the partition: what was admitted is capped by its budget. */
function demandOf(partition: PartitionStatistics): number {
  return partition.requests + partition.throttled;
}
