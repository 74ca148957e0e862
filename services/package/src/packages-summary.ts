import {
  type OwnerMonth,
  type PackagesDocument,
  type PackagesSummary,
  packagesDocumentId,
} from '@bottleneck-lab/contracts';
import { ServiceError } from '@bottleneck-lab/service-kit';
import type { CosmosContainer } from '@bottleneck-lab/service-kit/cosmos';
import { ERRORS } from './errors.js';

/**
 * An owner's packages of one month: one point read.
 * @throws {ServiceError} PACKAGES_NOT_FOUND, or a COSMOS_* row
 */
export async function getPackagesSummary(
  packages: CosmosContainer,
  request: { query: OwnerMonth; signal: AbortSignal },
): Promise<PackagesSummary> {
  const { query, signal } = request;
  const id = packagesDocumentId(query);
  const document = await packages.read<PackagesDocument>({ id, partitionKey: query.ownerId }, signal);
  if (!document) throw new ServiceError(ERRORS.PACKAGES_NOT_FOUND, { detail: `There is no document ${id}` });
  return { count: document.count, totalWeight: document.totalWeight };
}
