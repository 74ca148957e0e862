import type { Analysis } from '../analysis/analyse.js';
import { hottestPartition } from '../analysis/partition-statistics.js';
import { quantity } from '../analysis/quantity.js';
import { evidence, found, noData, notFound, type RuleOutcome, scoreOf } from './finding.js';
import { cpuHeadroom, ruHeadroom } from './headroom.js';
import { THRESHOLDS } from './thresholds.js';
import { partitionEvidence } from './throttling.js';

const NO_QUERIES = 'no partition queries of GetDroneUtilization';

/** An operation asks several partitions one after another, and its time is their sum. */
export function judgeSerialFanOut(analysis: Analysis): RuleOutcome {
  const rule = 'serial-fan-out';
  const shape = shapeOf(analysis);
  if (shape === null) return noData(rule, NO_QUERIES);
  const { queries, overlap, operationMs, queryTimeMs, queryMs } = shape;
  if (queries < THRESHOLDS.fanOutQueries) {
    return notFound(rule, `an operation asks ${quantity(queries)} partition`);
  }
  if (overlap < THRESHOLDS.serialOverlapMin) {
    return notFound(rule, `queries make up only ${quantity(100 * overlap)} % of the operation's time`);
  }
  if (overlap > THRESHOLDS.serialOverlapMax) {
    return notFound(
      rule,
      `queries add up to ${quantity(overlap)} times the operation's time: they run at the same time`,
    );
  }
  const ofInvoice = shareOfInvoice(analysis, operationMs);
  if (ofInvoice !== null && ofInvoice < THRESHOLDS.operationOfInvoicePercent) {
    return notFound(rule, `GetDroneUtilization takes only ${quantity(ofInvoice)} % of the invoice's time`);
  }
  return found(rule, {
    name: rule,
    title: 'Serial fan-out',
    subject: 'drone-utilization',
    score: scoreOf(100 * Math.min(1, overlap) * (1 - 1 / queries)),
    confidence: Math.abs(overlap - 1) <= 0.1 ? 'high' : 'medium',
    evidence: [
      evidence(`one operation makes ${quantity(queries)} partition queries of ${quantity(queryMs)} ms each`, [
        'cosmos.queriesPerOperation',
        'cosmos.queryMeanMs',
      ]),
      evidence(
        `added up, with waits, they take ${quantity(queryTimeMs)} ms; the operation takes ${quantity(operationMs)} ms: one after another`,
        ['cosmos.queryTimePerOperationMs', 'utilization.meanMs', 'cosmos.overlap'],
        'dependency rows of type Azure DocumentDB, operation rows of GetDroneUtilization',
      ),
      ...ruHeadroom(analysis),
      ...cpuHeadroom(analysis),
    ],
    next: [
      {
        text: 'Ask all partitions at the same time and compare the duration with the slowest query.',
        knob: 'queryFanout',
      },
      { text: 'Ask one partition only: partition by what is asked for.', knob: 'partitionKey' },
    ],
  });
}

/** Every partition is asked at once and paid, and the dearest one is near its limit. */
export function judgeCrossPartitionCost(analysis: Analysis): RuleOutcome {
  const rule = 'cross-partition-cost';
  const shape = shapeOf(analysis);
  if (shape === null) return noData(rule, NO_QUERIES);
  const { queries, overlap, ruPerOperation, ruPerQuery } = shape;
  const peak = analysis.measures['partition.peakPercent'];
  if (peak === undefined || ruPerOperation === null || ruPerQuery === null) {
    return noData(rule, 'no partition rows or request charges of the queried container');
  }
  if (queries < THRESHOLDS.fanOutQueries) {
    return notFound(rule, `an operation asks ${quantity(queries)} partition`);
  }
  if (overlap <= THRESHOLDS.serialOverlapMax)
    return notFound(rule, 'the queries do not run at the same time');
  if (ruPerOperation < THRESHOLDS.paidShare * queries * ruPerQuery) {
    return notFound(
      rule,
      `${quantity(ruPerOperation)} RU per operation is less than its queries would cost each`,
    );
  }
  if (peak < THRESHOLDS.nearLimitPercent) {
    return notFound(rule, `the hottest partition reached only ${quantity(peak)} % of its limit`);
  }
  const throttled = analysis.measures['cosmos.throttledPercent'] ?? 0;
  if (throttled >= THRESHOLDS.throttledPercent) {
    return notFound(
      rule,
      `${quantity(throttled)} % of queries were throttled: the limit is crossed, not near`,
    );
  }
  const hottest = hottestPartition(
    analysis.partitions.filter((one) => one.container === analysis.queriedContainer),
  );
  return found(rule, {
    name: rule,
    title: 'Cost of cross-partition queries',
    subject: analysis.queriedContainer ?? '',
    score: scoreOf(peak * (1 - 1 / queries)),
    confidence: peak >= 1.1 * THRESHOLDS.nearLimitPercent ? 'high' : 'medium',
    evidence: [
      evidence(
        `one operation costs ${quantity(ruPerOperation)} RU: ${quantity(queries)} partition queries of ${quantity(ruPerQuery)} RU each, though the answer lies on one partition`,
        ['cosmos.ruPerOperation', 'cosmos.queriesPerOperation', 'cosmos.ruPerQuery'],
      ),
      ...(hottest === null ? [] : [partitionEvidence(hottest)]),
      evidence(
        `the queries overlap (${quantity(overlap)} times the operation's time), so the slowest partition decides its duration`,
        ['cosmos.overlap'],
      ),
    ],
    next: [
      {
        text: 'Partition the data by what is asked for, so that one partition answers.',
        knob: 'partitionKey',
      },
      { text: 'Add users until the first 429: it is not far.', knob: null },
    ],
  });
}

function shapeOf(analysis: Analysis) {
  const { measures } = analysis;
  const queries = measures['cosmos.queriesPerOperation'];
  const overlap = measures['cosmos.overlap'];
  const operationMs = measures['utilization.meanMs'];
  const queryTimeMs = measures['cosmos.queryTimePerOperationMs'];
  const queryMs = measures['cosmos.queryMeanMs'];
  if (
    queries === undefined ||
    overlap === undefined ||
    operationMs === undefined ||
    queryTimeMs === undefined ||
    queryMs === undefined
  ) {
    return null;
  }
  return {
    queries,
    overlap,
    operationMs,
    queryTimeMs,
    queryMs,
    ruPerOperation: measures['cosmos.ruPerOperation'] ?? null,
    ruPerQuery: measures['cosmos.ruPerQuery'] ?? null,
  };
}

function shareOfInvoice(analysis: Analysis, operationMs: number): number | null {
  const invoiceMs = analysis.measures['client.meanMs'];
  return invoiceMs === undefined || invoiceMs === 0 ? null : (100 * operationMs) / invoiceMs;
}
