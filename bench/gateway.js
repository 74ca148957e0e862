import { ROUTES } from '@bottleneck-lab/contracts';
import { withChildren } from './child.js';
import { closedLoopInTurns } from './closed-loop.js';
import { INVOICE, SEARCH, SERVICE_ENVIRONMENT, startBackends } from './invoice-backends.js';
import { finding, measured, ratio } from './result.js';
import { median } from './statistics.js';

/** @import { Children } from './child.js' */
/** @import { Rounds } from './closed-loop.js' */

const STEADY_PER_SECOND = 100;
const ROUNDS = { rounds: 4, windowMs: 500 };

/** @type {import('./result.js').Benchmark} */
export const gateway = {
  name: 'gateway',
  about: 'the gateway against a bare fan-out by node:http and undici, to the same three backends',
  run: () =>
    withChildren(async (children) => {
      const client = children.start(new URL('./processes/client.js', import.meta.url));
      const backends = await startBackends(children);
      const servers = await startServers(children, backends);
      const rounds = await closedLoopInTurns(client, servers, ROUNDS);
      const path = ROUTES.invoices + SEARCH;
      const through = (/** @type {string} */ origin) => [{ origin, path }];
      const targets = [backends.calls, through(servers.bare.origin), through(servers.gateway.origin)];
      const load = { type: 'steady', targets, perSecond: STEADY_PER_SECOND };
      await client.ask({ ...load, durationMs: 500 });
      const { latenciesMs } = await client.ask({ ...load, durationMs: 3_000 });
      return report(rounds, latenciesMs);
    }),
};

/**
 * Four programs that answer the same invoice, from the barest to the gateway.
 * @param {Children} children
 * @param {Awaited<ReturnType<typeof startBackends>>} backends
 */
async function startServers(children, backends) {
  const invoice = JSON.stringify(INVOICE);
  const local = (/** @type {string} */ name) => new URL(`./processes/${name}.js`, import.meta.url);
  const processes = {
    fixed: children.start(local('fixed-answer'), { args: [JSON.stringify({ [ROUTES.invoices]: invoice })] }),
    bare: children.start(local('bare-fan-out'), { args: backends.origins }),
    route: children.start(local('fixed-route'), { args: [invoice], env: SERVICE_ENVIRONMENT }),
    gateway: children.start(new URL('../gateway/dist/main.js', import.meta.url), {
      env: backends.environment,
    }),
  };
  const requests = [{ method: 'GET', path: ROUTES.invoices + SEARCH }];
  const entries = Object.entries(processes).map(async ([name, process]) => {
    const origin = `http://127.0.0.1:${(await process.listening()).port}`;
    await expectInvoice(origin);
    return [name, { origin, requests, process }];
  });
  /** @type {Record<keyof typeof processes, import('./closed-loop.js').Server>} */
  const servers = Object.fromEntries(await Promise.all(entries));
  return servers;
}

/** @param {string} origin */
async function expectInvoice(origin) {
  const response = await fetch(origin + ROUTES.invoices + SEARCH);
  const text = await response.text();
  if (response.status !== 200 || text !== JSON.stringify(INVOICE))
    throw new Error(`${origin} answered ${response.status} ${text}`);
}

/** @param {Record<'fixed' | 'bare' | 'route' | 'gateway', Rounds>} rounds @param {number[][]} latenciesMs */
function report({ fixed, bare, route, gateway }, latenciesMs) {
  const cpu = { unit: 'us/request' };
  const throughput = /** @type {const} */ ({ unit: 'requests/s', better: 'higher' });
  const [direct = 0, throughBare = 0, throughGateway = 0] = latenciesMs.map(median);
  const layer = (/** @type {Rounds} */ more, /** @type {Rounds} */ less) =>
    median(more.cpuUs.map((value, round) => value - Number(less.cpuUs[round])));
  return {
    measured: [
      measured('gateway', gateway.perSecond, throughput),
      measured('bare fan-out', bare.perSecond, throughput),
      measured('gateway, CPU time', gateway.cpuUs, cpu),
      measured('bare fan-out, CPU time', bare.cpuUs, cpu),
      measured(`backends asked directly, p50 at ${STEADY_PER_SECOND}/s`, [direct], { unit: 'ms' }),
      measured(`through the bare fan-out, p50 at ${STEADY_PER_SECOND}/s`, [throughBare], { unit: 'ms' }),
      measured(`through the gateway, p50 at ${STEADY_PER_SECOND}/s`, [throughGateway], { unit: 'ms' }),
    ],
    findings: [
      ratio('gateway / bare fan-out, requests per second', [gateway.perSecond, bare.perSecond], {
        better: 'higher',
        atLeast: 0.4,
      }),
      ratio('gateway / bare fan-out, CPU time', [gateway.cpuUs, bare.cpuUs]),
      finding('median added to the backends', throughGateway - direct, { unit: 'ms', atMost: 1 }),
      finding('median added to the bare fan-out', throughGateway - throughBare, { unit: 'ms' }),
      finding('layer: node:http', median(fixed.cpuUs), cpu),
      finding('layer: service kit around a handler', layer(route, fixed), cpu),
      finding('layer: three calls and the merge', layer(gateway, route), cpu),
      finding('  of which undici takes in the bare fan-out', layer(bare, fixed), cpu),
    ],
  };
}
