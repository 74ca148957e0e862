import type { Analysis } from '../analysis/analyse.js';
import { hottestPartition, type PartitionStatistics } from '../analysis/partition-statistics.js';
import { quantity } from '../analysis/quantity.js';
import { sumOf } from '../analysis/windows.js';
import { type Evidence, evidence, found, noData, notFound, type RuleOutcome, scoreOf } from './finding.js';
import { cpuHeadroom } from './headroom.js';
import { kneeEvidence } from './knee.js';
import { THRESHOLDS } from './thresholds.js';

/** A budget of request units is used up, evenly over its container. */
export function judgeThrottling(analysis: Analysis): RuleOutcome {
  const rule = 'throttling';
  const share = throttledShare(analysis);
  if (share === null) return noData(rule, 'no partition queries by status code and no partition rows');
  const { whole, lastQuarter, container } = share;
  if (Math.max(whole, lastQuarter) < THRESHOLDS.throttledPercent) {
    return notFound(
      rule,
      `${quantity(whole)} % of requests were answered 429, below ${THRESHOLDS.throttledPercent} %`,
    );
  }
  const waited = analysis.lastQuarter['cosmos.retryWaitPercent'] ?? 0;
  return found(rule, {
    name: rule,
    title: 'Cosmos DB throttles',
    subject: container,
    score: scoreOf(60 + waited),
    confidence: Math.max(whole, lastQuarter) >= 2 * THRESHOLDS.throttledPercent ? 'high' : 'medium',
    evidence: throttlingEvidence(analysis, share),
    next: [
      {
        text: 'Raise the provisioned throughput until the hottest partition stays below its limit, and see whether the 429s vanish.',
        knob: 'ruPerSecond',
      },
      { text: 'Spend fewer request units per operation: ask fewer partitions.', knob: 'partitionKey' },
    ],
  });
}

interface ThrottledShare {
  /** Percent of requests answered with 429. */
  whole: number;
  lastQuarter: number;
  container: string;
}

/** As the service saw it; as the account saw it for containers that the operation does not query. */
function throttledShare(analysis: Analysis): ThrottledShare | null {
  const shares: ThrottledShare[] = [];
  const whole = analysis.measures['cosmos.throttledPercent'];
  if (whole !== undefined) {
    const lastQuarter = analysis.lastQuarter['cosmos.throttledPercent'] ?? 0;
    shares.push({ whole, lastQuarter, container: analysis.queriedContainer ?? '' });
  }
  for (const [container, partitions] of byContainer(analysis.partitions)) {
    if (container === analysis.queriedContainer) continue;
    const throttled = sumOf(partitions.map((one) => one.throttled));
    const requests = throttled + sumOf(partitions.map((one) => one.requests));
    if (requests > 0) shares.push({ whole: (100 * throttled) / requests, lastQuarter: 0, container });
  }
  return shares.reduce<ThrottledShare | null>(
    (worst, one) => (worst === null || one.whole > worst.whole ? one : worst),
    null,
  );
}

function throttlingEvidence(analysis: Analysis, share: ThrottledShare): Evidence[] {
  const { measures, lastQuarter } = analysis;
  const lines = [
    evidence(
      `${quantity(share.whole)} % of the requests to "${share.container}" were answered 429${share.lastQuarter > 0 ? `, ${quantity(share.lastQuarter)} % in the last quarter of the load` : ''}`,
      ['cosmos.throttledPercent'],
      'dependency rows with resultCode 429',
    ),
  ];
  const hottest = hottestPartition(analysis.partitions.filter((one) => one.container === share.container));
  if (hottest !== null) lines.push(partitionEvidence(hottest));
  const waited = lastQuarter['cosmos.retryWaitPercent'];
  if (waited !== undefined && waited > 0) {
    lines.push(
      evidence(
        `in the last quarter, waiting to try again made up ${quantity(waited)} % of the operations' time`,
        ['cosmos.retryWaitPercent'],
      ),
    );
  }
  const fall = measures['throughput.fallPercent'] ?? 0;
  if (fall >= 5) {
    lines.push(
      evidence(`the best 5 s gave ${quantity(fall)} % more throughput than the last 5 s, though users rose`, [
        'throughput.fallPercent',
      ]),
    );
  }
  return [...lines, ...kneeEvidence(analysis), ...cpuHeadroom(analysis)];
}

/** `partition 4 used 118 of 100 RU/s in second 41; its first 429 came in second 33`. */
export function partitionEvidence(partition: PartitionStatistics): Evidence {
  const first =
    partition.firstThrottledSecond === null
      ? ''
      : `; its first 429 came in second ${partition.firstThrottledSecond}`;
  return evidence(
    `partition ${partition.partition} of "${partition.container}" used ${quantity(partition.peakRuPerSecond)} of ${quantity(partition.limitRuPerSecond)} RU/s in second ${partition.peakSecond}${first}`,
    ['partition.peakRuPerSecond', 'partition.limitRuPerSecond'],
    `partition rows of ${partition.container}/${partition.partition}`,
  );
}

function byContainer(partitions: readonly PartitionStatistics[]): Map<string, PartitionStatistics[]> {
  const groups = new Map<string, PartitionStatistics[]>();
  for (const one of partitions) groups.set(one.container, [...(groups.get(one.container) ?? []), one]);
  return groups;
}
