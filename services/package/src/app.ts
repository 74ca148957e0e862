import { CONTAINERS, OPERATIONS, ownerMonthQuery, ROUTES } from '@bottleneck-lab/contracts';
import { type Runtime, route, type ServiceApp } from '@bottleneck-lab/service-kit';
import { CosmosContainer } from '@bottleneck-lab/service-kit/cosmos';
import type { PackageConfig } from './config.js';
import { getPackagesSummary } from './packages-summary.js';

export function createApp(config: PackageConfig, runtime: Runtime): ServiceApp {
  const packages = new CosmosContainer({ id: CONTAINERS.packages.id, config, runtime });
  return {
    routes: [
      route({
        method: 'GET',
        path: ROUTES.packagesSummary,
        operation: OPERATIONS.getPackagesSummary,
        query: ownerMonthQuery,
        handle: (request) => getPackagesSummary(packages, request),
      }),
    ],
    start: () => packages.start(),
    async stop() {
      packages.stop();
    },
  };
}
