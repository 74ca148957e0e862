import { ROUTES } from '@bottleneck-lab/contracts';

/** @import { Children } from './child.js' */

export const SEARCH = '?ownerId=o000042&year=2019&month=7';

/** The invoice that every fan-out has to give for {@link SEARCH}. */
export const INVOICE = {
  deliveries: { count: 3, flownKilometres: 41.5, noFlyZoneWaypoints: 2 },
  drones: { traveledMiles: 120.5, assignedHours: 14 },
  packages: { count: 9, totalWeight: 12.25 },
};

/** What a service asks a backend before it trusts it. */
const LIVE = { '/-/live': '{"status":"ok"}' };
const PARTS = [
  { path: ROUTES.deliveriesSummary, part: INVOICE.deliveries, variable: 'DELIVERY_URL' },
  { path: ROUTES.droneUtilization, part: INVOICE.drones, variable: 'DRONE_UTILIZATION_URL' },
  { path: ROUTES.packagesSummary, part: INVOICE.packages, variable: 'PACKAGE_URL' },
];

/** Quiet, on free ports, with nothing that the caller's environment adds. */
export const SERVICE_ENVIRONMENT = {
  PORT: '0',
  INTERNAL_PORT: '0',
  LOG_LEVEL: 'warn',
  APPLICATIONINSIGHTS_CONNECTION_STRING: '',
  OTEL_EXPORTER_OTLP_ENDPOINT: '',
};

/**
 * Three backends on node:http, each with its part of the invoice.
 * @param {Children} children
 */
export async function startBackends(children) {
  const args = PARTS.map(({ path, part }) => JSON.stringify({ [path]: JSON.stringify(part), ...LIVE }));
  const process = children.start(new URL('./processes/fixed-answer.js', import.meta.url), { args });
  /** @type {{ ports: number[] }} */
  const { ports } = await process.listening();
  const origins = ports.map((port) => `http://127.0.0.1:${port}`);
  return {
    origins,
    /** The three calls of an invoice. */
    calls: PARTS.map(({ path }, i) => ({ origin: String(origins[i]), path: path + SEARCH })),
    /** The gateway's environment. */
    environment: {
      ...SERVICE_ENVIRONMENT,
      ...Object.fromEntries(PARTS.map(({ variable }, i) => [variable, String(origins[i])])),
    },
  };
}
