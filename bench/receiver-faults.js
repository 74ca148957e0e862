import { ROUTES } from '@bottleneck-lab/contracts';
import { withChildren } from './child.js';
import { closedLoopInTurns } from './closed-loop.js';
import { SEARCH, startBackends } from './invoice-backends.js';
import { measured, ratio } from './result.js';
import { REGISTER, receiverEnvironment } from './telemetry-environment.js';

/** @import { Children } from './child.js' */
/** @import { Server } from './closed-loop.js' */

const GOAL = 0.95;
const ROUNDS = { rounds: 5, windowMs: 700, warmUpMs: 1_500 };

/** By the SDK that sends: how the receivers behave. The others are compared with `ok`. */
const RECEIVERS = {
  applicationinsights: [
    'ok',
    'down',
    'slow',
    'answers-429',
    'answers-503',
    'answers-503-without-body',
    'restarting',
  ],
  otlp: ['ok', 'down', 'answers-503-without-body'],
};
/** @typedef {keyof typeof RECEIVERS} Sdk */

/** @type {import('./result.js').Benchmark} */
export const receiverFaults = {
  name: 'receiver-faults',
  about: 'requests a second of the gateway while nobody takes its telemetry, against while somebody does',
  run: () =>
    withChildren(async (children) => {
      const client = children.start(new URL('./processes/client.js', import.meta.url));
      /** @type {import('./result.js').BenchmarkResult} */
      const result = { measured: [], findings: [] };
      for (const sdk of /** @type {Sdk[]} */ (Object.keys(RECEIVERS))) {
        const gateways = await startGateways(children, sdk);
        const { ok, ...faulty } = await closedLoopInTurns(client, gateways, ROUNDS);
        if (ok === undefined) throw new Error('no gateway whose telemetry is taken');
        const of = /** @type {const} */ ({ unit: 'requests/s', better: 'higher' });
        result.measured.push(measured(`${sdk}, ok`, ok.perSecond, of));
        for (const [fault, { perSecond, cpuUs }] of Object.entries(faulty)) {
          const name = `${sdk}, ${fault}`;
          result.measured.push(measured(name, perSecond, of));
          const goal = { better: of.better, atLeast: GOAL };
          result.findings.push(
            ratio(`${name} / ok`, [perSecond, ok.perSecond], goal),
            ratio('  CPU time per request', [cpuUs, ok.cpuUs]),
          );
        }
        await Promise.all(Object.values(gateways).map(({ process }) => process.stop()));
      }
      return result;
    }),
};

/** A gateway for each receiver, all with the same backends. @param {Children} children @param {Sdk} sdk */
async function startGateways(children, sdk) {
  const kinds = RECEIVERS[sdk];
  const receivers = children.start(new URL('./processes/receivers.js', import.meta.url), { args: kinds });
  const [{ environment }, { ports }] = await Promise.all([startBackends(children), receivers.listening()]);
  const requests = [{ method: 'GET', path: ROUTES.invoices + SEARCH }];
  /** @type {Record<string, Server>} */
  const gateways = {};
  for (const [index, kind] of kinds.entries()) {
    const env = { ...environment, ...receiverEnvironment(sdk, `http://127.0.0.1:${ports[index]}`) };
    const process = children.start(new URL('../gateway/dist/main.js', import.meta.url), {
      env,
      imports: [REGISTER],
    });
    const origin = `http://127.0.0.1:${(await process.listening()).port}`;
    gateways[kind] = { origin, requests, process };
  }
  return gateways;
}
