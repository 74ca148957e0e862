import type { DroneUtilization, OwnerMonth, UtilizationDocument } from '@bottleneck-lab/contracts';
import { ServiceError } from '@bottleneck-lab/service-kit';
import type { CosmosContainer } from '@bottleneck-lab/service-kit/cosmos';
import { ERRORS } from './errors.js';
import { feedOptions, type QueryToggles, utilizationQuery } from './query-plan.js';

/**
 * Miles and hours of an owner's drones in one month: the sums over all its documents.
 * @throws {ServiceError} UTILIZATION_NOT_FOUND, or a COSMOS_* row
 */
export async function getDroneUtilization(
  container: CosmosContainer,
  toggles: QueryToggles,
  request: { query: OwnerMonth; signal: AbortSignal },
): Promise<DroneUtilization> {
  const { query, signal } = request;
  const options = feedOptions(toggles, query.ownerId);
  const documents = await container.query<UtilizationDocument>(utilizationQuery(query), options, signal);
  if (documents.length === 0) {
    throw new ServiceError(ERRORS.UTILIZATION_NOT_FOUND, {
      detail: `There is no document of ${query.ownerId} in ${query.year}-${query.month}`,
    });
  }
  return {
    traveledMiles: documents.reduce((sum, document) => sum + document.traveledMiles, 0),
    assignedHours: documents.reduce((sum, document) => sum + document.assignedHours, 0),
  };
}
