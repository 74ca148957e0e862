import { CONTAINERS, ROUTES } from '@bottleneck-lab/contracts';
import { WELL_KNOWN_KEY } from '@bottleneck-lab/cosmos-emulator';
import { withChildren } from './child.js';
import { startStandIn } from './cosmos-account.js';
import { SEARCH, SERVICE_ENVIRONMENT, startBackends } from './invoice-backends.js';
import { finding, measured, ratio } from './result.js';
import { median } from './statistics.js';
import { REGISTER, receiverEnvironment } from './telemetry-environment.js';

/** @import { Child, Children } from './child.js' */

/** Of each service; all of them are under load at the same time, in turns, so that each has the same machine. */
const PER_SECOND = 25;
const ROUNDS = 3;
const WINDOW_MS = 4_000;
/** At full speed, as a compiler warms up by requests; then steadily, until what full speed left behind is delivered. */
const WARM_UP_MS = 2_500;
const SETTLE_MS = 2_000;

/** @type {import('./result.js').Benchmark} */
export const telemetry = {
  name: 'telemetry',
  about: `CPU time per request of services with and without telemetry, at ${PER_SECOND} requests a second`,
  run: () =>
    withChildren(async (children) => {
      const client = children.start(new URL('./processes/client.js', import.meta.url));
      const services = await startServices(children);
      const targets = await Promise.all(
        services.map(async ({ process, path }) => [
          { origin: `http://127.0.0.1:${(await process.listening()).port}`, path },
        ]),
      );
      const load = { type: 'steady', targets, perSecond: PER_SECOND };
      for (const [target] of targets) {
        const { origin, path } = /** @type {{ origin: string, path: string }} */ (target);
        const requests = [{ method: 'GET', path }];
        await client.ask({ type: 'closed', origin, requests, connections: 4, durationMs: WARM_UP_MS });
      }
      await client.ask({ ...load, durationMs: SETTLE_MS });
      /** @type {number[][]} */
      const cpuUs = services.map(() => []);
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = await readAll(services);
        const { latenciesMs } = await client.ask({ ...load, durationMs: WINDOW_MS });
        const after = await readAll(services);
        for (const [i, rounds] of cpuUs.entries())
          rounds.push(((Number(after[i]) - Number(before[i])) * 1000) / latenciesMs[i].length);
      }
      return report(cpuUs);
    }),
};

/** @typedef {{ process: Child, path: string }} Service */

/**
 * The gateway with its three calls, drone-utilization with one query and with nine at once, each plain and observed.
 * @param {Children} children
 */
async function startServices(children) {
  const receiver = children.start(
    new URL(import.meta.resolve('@bottleneck-lab/app-insights-emulator/main')),
    {
      args: ['--port', '0'],
    },
  );
  const [backends, cosmos, { port }] = await Promise.all([
    startBackends(children),
    startStandIn(children, [CONTAINERS.utilizationByOwner, CONTAINERS.utilizationByDelivery]),
    receiver.listening(),
  ]);
  const telemetryEnvironment = receiverEnvironment('applicationinsights', `http://127.0.0.1:${port}`);
  const both = (/** @type {URL} */ entry, /** @type {Record<string, string>} */ env) => [
    children.start(entry, { env }),
    children.start(entry, { env: { ...env, ...telemetryEnvironment }, imports: [REGISTER] }),
  ];
  const utilization = (/** @type {Record<string, string>} */ env) =>
    both(new URL('../services/drone-utilization/dist/main.js', import.meta.url), {
      ...SERVICE_ENVIRONMENT,
      COSMOS_ENDPOINT: cosmos.origin,
      COSMOS_KEY: WELL_KNOWN_KEY,
      ...env,
    });
  const gateways = both(new URL('../gateway/dist/main.js', import.meta.url), backends.environment);
  const utilizations = [
    ...utilization({ PARTITION_KEY: 'ownerId' }),
    ...utilization({ PARTITION_KEY: 'deliveryId', QUERY_FANOUT: 'parallel' }),
  ];
  return [
    ...gateways.map((process) => ({ process, path: ROUTES.invoices + SEARCH })),
    ...utilizations.map((process) => ({ process, path: ROUTES.droneUtilization + SEARCH })),
  ];
}

/** @param {Service[]} services */
async function readAll(services) {
  const readings = await Promise.all(services.map(({ process }) => process.read()));
  return readings.map(({ cpuMs }) => cpuMs);
}

const SERVICES = ['gateway, three calls', 'drone-utilization, one query', 'drone-utilization, nine queries'];

/** @param {number[][]} cpuUs of each service plain, then observed */
function report(cpuUs) {
  const of = { unit: 'us/request' };
  const pairs = SERVICES.map((name, i) => ({
    name,
    plain: cpuUs[2 * i] ?? [],
    observed: cpuUs[2 * i + 1] ?? [],
  }));
  const added = (/** @type {number[]} */ observed, /** @type {number[]} */ plain) =>
    median(observed.map((value, round) => value - Number(plain[round])));
  return {
    measured: pairs.flatMap(({ name, plain, observed }) => [
      measured(`${name}, without`, plain, of),
      measured(`${name}, with telemetry`, observed, of),
    ]),
    findings: pairs.flatMap(({ name, plain, observed }) => [
      finding(`${name}: added by telemetry`, added(observed, plain), of),
      ratio(`${name}: with / without`, [observed, plain]),
    ]),
  };
}
