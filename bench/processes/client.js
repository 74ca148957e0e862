// Sends the benchmarks' requests, so that neither the benchmark nor what it measures does. Told by message:
// { type: 'closed', origin, requests, connections, durationMs }: each connection asks again as soon as it is answered;
// { type: 'steady', targets, perSecond, durationMs }: requests by the clock, the targets in turns.
import { performance } from 'node:perf_hooks';
import { Client, Pool } from 'undici';
import { announce } from './meter.js';

/** @typedef {{ method: 'GET' | 'POST', path: string, headers?: Record<string, string>, body?: string }} Request */
/** A target is what is asked at once: its latency is that of the last answer. @typedef {{ origin: string, path: string }[]} Target */

/** @param {{ origin: string, requests: Request[], connections: number, durationMs: number }} options */
async function closedLoop({ origin, requests, connections, durationMs }) {
  const clients = Array.from({ length: connections }, () => new Client(origin, { keepAliveTimeout: 60_000 }));
  const started = performance.now();
  let sent = 0;
  let answered = 0;
  /** @param {Client} client */
  const run = (client) =>
    new Promise((resolve, reject) => {
      let status = 0;
      const handler = {
        onRequestStart() {},
        onResponseStart(/** @type {unknown} */ _controller, /** @type {number} */ code) {
          status = code;
        },
        onResponseData() {},
        onResponseEnd() {
          if (status !== 200) return reject(new Error(`${origin} answered ${status}`));
          answered += 1;
          if (performance.now() - started < durationMs) next();
          else resolve(undefined);
        },
        onResponseError(/** @type {unknown} */ _controller, /** @type {Error} */ error) {
          reject(error);
        },
      };
      const next = () =>
        client.dispatch(/** @type {Request} */ (requests[sent++ % requests.length]), handler);
      next();
    });
  try {
    await Promise.all(clients.map(run));
    return { answered, elapsedMs: performance.now() - started };
  } finally {
    await Promise.all(clients.map((client) => client.destroy()));
  }
}

/** @type {Map<string, Pool>} */
const pools = new Map();

/** @param {Target[number]} call */
async function ask({ origin, path }) {
  let pool = pools.get(origin);
  if (pool === undefined) {
    pool = new Pool(origin, { connections: 32, pipelining: 1, keepAliveTimeout: 60_000 });
    pools.set(origin, pool);
  }
  const { statusCode, body } = await pool.request({ method: 'GET', path });
  await body.text();
  if (statusCode !== 200) throw new Error(`${origin}${path} answered ${statusCode}`);
}

/** @param {{ targets: Target[], perSecond: number, durationMs: number }} options */
async function steady({ targets, perSecond, durationMs }) {
  /** @type {number[][]} */
  const latenciesMs = targets.map(() => []);
  const total = Math.round((perSecond * targets.length * durationMs) / 1000);
  const gapMs = durationMs / total;
  const started = performance.now();
  /** @type {Promise<void>[]} */
  const pending = [];
  /** @param {number} index */
  const send = async (index) => {
    const sentAt = performance.now();
    await Promise.all(/** @type {Target} */ (targets[index]).map(ask));
    latenciesMs[index]?.push(performance.now() - sentAt);
  };
  for (let sent = 0; sent < total; sent += 1) {
    const waitMs = started + sent * gapMs - performance.now();
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    pending.push(send(sent % targets.length));
  }
  await Promise.all(pending);
  return { latenciesMs };
}

process.on('message', (/** @type {any} */ message) => {
  const run = message?.type === 'closed' ? closedLoop : message?.type === 'steady' ? steady : undefined;
  run?.(message).then(
    (result) => process.send?.({ type: 'done', ...result }),
    (error) => process.send?.({ type: 'failed', message: String(error?.message ?? error) }),
  );
});
announce({});
