import { OPERATIONS, ownerMonthQuery, ROUTES } from '@bottleneck-lab/contracts';
import { type Runtime, route, type ServiceApp } from '@bottleneck-lab/service-kit';
import { CosmosContainer } from '@bottleneck-lab/service-kit/cosmos';
import type { DroneUtilizationConfig } from './config.js';
import { getDroneUtilization } from './drone-utilization.js';
import { containerFor } from './query-plan.js';

export function createApp(config: DroneUtilizationConfig, runtime: Runtime): ServiceApp {
  const container = new CosmosContainer({ id: containerFor(config), config, runtime });
  return {
    routes: [
      route({
        method: 'GET',
        path: ROUTES.droneUtilization,
        operation: OPERATIONS.getDroneUtilization,
        query: ownerMonthQuery,
        handle: (request) => getDroneUtilization(container, config, request),
      }),
    ],
    start: () => container.start(),
    async stop() {
      container.stop();
    },
  };
}
