import { CosmosError } from '../errors.js';
import type { Container } from '../store/container.js';
import type { PhysicalPartition } from '../store/physical-partition.js';
import { CHARGES } from './request-charge.js';

/** The service's own text, brackets and quotes included. */
const TOO_LARGE =
  '["Request rate is large. More Request Units may be needed, so no changes were made. Please retry this request later. ' +
  'Learn more: http://aka.ms/cosmosdb-error-429"]';

export function requestRateTooLarge(retryAfterMs: number): CosmosError {
  return new CosmosError('requestRateTooLarge', TOO_LARGE, { retryAfterMs, requestCharge: CHARGES.refused });
}

/** Throws 429 when the physical partition has no request units left in this second. */
export function admit(container: Container, partition: PhysicalPartition, nowMs: number): void {
  if (!container.model.throttling) return;
  const refusal = partition.budget.admit(nowMs);
  if (refusal === null) return;
  partition.metrics.refused(nowMs, partition.budget.ruPerSecond);
  throw requestRateTooLarge(refusal.retryAfterMs);
}

/** Draws what an admitted request cost. Without throttling it is counted, but no debt grows. */
export function charge(
  container: Container,
  partition: PhysicalPartition,
  { nowMs, requestUnits }: { nowMs: number; requestUnits: number },
): void {
  if (container.model.throttling) partition.budget.charge(requestUnits);
  partition.metrics.admitted(nowMs, requestUnits, partition.budget.ruPerSecond);
}
