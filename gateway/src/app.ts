import { OPERATIONS, ownerMonthQuery, ROUTES } from '@bottleneck-lab/contracts';
import { Backend, type Runtime, route, type ServiceApp } from '@bottleneck-lab/service-kit';
import type { GatewayConfig } from './config.js';
import { type Backends, getInvoice } from './invoice.js';

export function createApp(config: GatewayConfig, runtime: Runtime): ServiceApp {
  const backend = (name: string, origin: string) => new Backend({ name, origin, config, runtime });
  const backends: Backends = {
    delivery: backend('delivery', config.deliveryUrl),
    package: backend('package', config.packageUrl),
    droneUtilization: backend('drone-utilization', config.droneUtilizationUrl),
  };
  const all = Object.values(backends) as Backend[];
  return {
    routes: [
      route({
        method: 'GET',
        path: ROUTES.invoices,
        operation: OPERATIONS.getInvoice,
        query: ownerMonthQuery,
        handle: (request) => getInvoice(backends, request),
      }),
    ],
    start() {
      for (const each of all) each.start();
    },
    async stop() {
      await Promise.all(all.map((each) => each.stop()));
    },
  };
}
