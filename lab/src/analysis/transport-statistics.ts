import { DEPENDENCY_TYPES, OPERATIONS, ROLES, type ServiceName } from '@bottleneck-lab/contracts';
import { mergeDurations } from '../recording/durations.js';
import { operationRows } from './operation-measures.js';
import type { Span, Timeline } from './timeline.js';

/** One hop: how long the caller waited against how long the called service worked. */
export interface TransportStatistics {
  service: ServiceName;
  /** Mean duration of the call at the gateway. */
  callMs: number;
  /** Mean duration of the operation at the service. */
  operationMs: number;
  /** The difference: network, queueing for a connection, accepting. Never below 0. */
  outsideMs: number;
}

const OPERATION_OF = {
  delivery: OPERATIONS.getDeliveriesSummary,
  package: OPERATIONS.getPackagesSummary,
  'drone-utilization': OPERATIONS.getDroneUtilization,
} as const;

/** Hops of which both ends gave rows. */
export function transportStatistics(timeline: Timeline, span: Span): TransportStatistics[] {
  const calls = timeline
    .rows('dependency', span)
    .filter((row) => row.type === DEPENDENCY_TYPES.http && row.role === ROLES.gateway);
  const operations = timeline.rows('operation', span);
  const hops: TransportStatistics[] = [];
  for (const [service, operation] of Object.entries(OPERATION_OF) as [
    keyof typeof OPERATION_OF,
    (typeof OPERATION_OF)[keyof typeof OPERATION_OF],
  ][]) {
    const own = calls.filter((row) => row.target === service || row.target === ROLES[service]);
    const callMs = mergeDurations(own.map((row) => row.duration)).meanMs;
    const operationMs = mergeDurations(
      operationRows(operations, operation).map((row) => row.duration),
    ).meanMs;
    if (callMs === null || operationMs === null) continue;
    hops.push({ service, callMs, operationMs, outsideMs: Math.max(0, callMs - operationMs) });
  }
  return hops;
}
