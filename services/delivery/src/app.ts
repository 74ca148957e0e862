import { OPERATIONS, ownerMonthQuery, ROUTES } from '@bottleneck-lab/contracts';
import { type Runtime, route, type ServiceApp } from '@bottleneck-lab/service-kit';
import type { DeliveryConfig } from './config.js';
import { getDeliveriesSummary } from './deliveries-summary.js';
import { createFleet } from './fleet.js';

export function createApp(config: DeliveryConfig, runtime: Runtime): ServiceApp {
  const fleet = createFleet(config.dataSeed);
  const pause = () => runtime.cpu.checkpoint();
  return {
    routes: [
      route({
        method: 'GET',
        path: ROUTES.deliveriesSummary,
        operation: OPERATIONS.getDeliveriesSummary,
        query: ownerMonthQuery,
        handle: ({ query }) => getDeliveriesSummary(fleet, query, pause),
      }),
    ],
  };
}
