// A service with everything but work: the service kit around a handler that answers the gateway's invoice from memory.
import { OPERATIONS, ownerMonthQuery, ROUTES } from '@bottleneck-lab/contracts';
import { route, runService, SERVICE_SETTINGS } from '@bottleneck-lab/service-kit';

const invoice = JSON.parse(process.argv[2] ?? '{}');
process.argv.length = 2;

await runService({
  name: 'gateway',
  settings: SERVICE_SETTINGS,
  createApp: () => ({
    routes: [
      route({
        method: 'GET',
        path: ROUTES.invoices,
        operation: OPERATIONS.getInvoice,
        query: ownerMonthQuery,
        handle: async () => invoice,
      }),
    ],
  }),
});
