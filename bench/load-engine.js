import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { withChildren } from './child.js';
import { finding, measured, ratio } from './result.js';

/** @import { Child } from './child.js' */

const BODY_BYTES = 100;
const CONNECTIONS = 40;
const ROUNDS = 3;
const WARM_UP_MS = 2_000;
const WINDOW_MS = 800;
const POLL_MS = 50;
const START_LIMIT_MS = 20_000;
const LIMIT_US = 50;
const SCRIPT = `import http from 'k6/http';
export const options = { vus: ${CONNECTIONS}, duration: '1h', summaryTrendStats: ['med', 'p(95)'] };
export default async function () {
  await http.get(__ENV.TARGET);
}
`;

/** @type {import('./result.js').Benchmark} */
export const loadEngine = {
  name: 'load-engine',
  about: `CPU time of the load generator per request: closed loop, ${CONNECTIONS} users, no think time, ${BODY_BYTES}-byte body`,
  async run() {
    const directory = await mkdtemp(path.join(os.tmpdir(), 'bench-load-'));
    try {
      const script = path.join(directory, 'script.js');
      await writeFile(script, SCRIPT);
      return await measure(script);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  },
};

/** @param {string} script */
function measure(script) {
  return withChildren(async (children) => {
    const server = children.start(new URL('./processes/fixed-answer.js', import.meta.url), {
      args: [JSON.stringify({ '/': 'x'.repeat(BODY_BYTES) })],
    });
    const url = `http://127.0.0.1:${(await server.listening()).port}/`;
    const generators = {
      engine: () =>
        children.start(new URL('../loadtests/dist/main.js', import.meta.url), {
          args: ['run', '--quiet', '--no-summary', '-e', `TARGET=${url}`, script],
        }),
      autocannon: () =>
        children.start(new URL('./processes/autocannon-load.js', import.meta.url), {
          args: [url, String(CONNECTIONS)],
        }),
    };
    const rounds = { engine: newRounds(), autocannon: newRounds() };
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const name of /** @type {const} */ (['engine', 'autocannon'])) {
        const { cpuUs, perSecond } = await measureOnce(generators[name](), server);
        rounds[name].cpuUs.push(cpuUs);
        rounds[name].perSecond.push(perSecond);
      }
    }
    return report(rounds);
  });
}

/** @returns {{ cpuUs: number[], perSecond: number[] }} */
const newRounds = () => ({ cpuUs: [], perSecond: [] });

/** The middle of a run: neither start nor warm-up nor end are counted. @param {Child} generator @param {Child} server */
async function measureOnce(generator, server) {
  await hasBegun(generator, server);
  await delay(WARM_UP_MS);
  const [before, served] = await Promise.all([generator.read(), server.read()]);
  const startedMs = performance.now();
  await delay(WINDOW_MS);
  const [after, servedAfter] = await Promise.all([generator.read(), server.read()]);
  const elapsedMs = performance.now() - startedMs;
  await generator.stop();
  const requests = servedAfter.answered - served.answered;
  return {
    cpuUs: ((after.cpuMs - before.cpuMs) * 1000) / requests,
    perSecond: (requests * 1000) / elapsedMs,
  };
}

/** @param {Child} generator @param {Child} server */
async function hasBegun(generator, server) {
  const { answered } = await server.read();
  const limitMs = performance.now() + START_LIMIT_MS;
  while ((await server.read()).answered === answered) {
    // Fails with the generator's own words if it has ended.
    await generator.read();
    if (performance.now() > limitMs) throw new Error('the load generator sent nothing');
    await delay(POLL_MS);
  }
}

/** @param {Record<'engine' | 'autocannon', { cpuUs: number[], perSecond: number[] }>} rounds */
function report({ engine, autocannon }) {
  const cpu = { unit: 'us/request' };
  const throughput = /** @type {const} */ ({ unit: 'requests/s', better: 'higher' });
  const ofEngine = measured('load engine', engine.cpuUs, cpu);
  return {
    measured: [
      ofEngine,
      measured('autocannon', autocannon.cpuUs, cpu),
      measured('load engine', engine.perSecond, throughput),
      measured('autocannon', autocannon.perSecond, throughput),
    ],
    findings: [
      finding('load engine, median', ofEngine.median, { ...cpu, atMost: LIMIT_US }),
      ratio('load engine / autocannon, CPU time', [engine.cpuUs, autocannon.cpuUs]),
    ],
  };
}
