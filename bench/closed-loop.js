/** @import { Child } from './child.js' */
/** @typedef {{ origin: string, requests: object[], process: Child }} Server */
/** @typedef {{ cpuUs: number[], perSecond: number[] }} Rounds per round: CPU time per request, µs, and requests per second */

/** V8 goes on compiling for thousands of requests, and longer on a busy machine: CPU per request halves meanwhile. */
const WARM_UP_MS = 2_500;

/**
 * Asks the servers in turns, A B C A B C, after each has been warmed up the same way.
 * @template {string} Name
 * @param {Child} client
 * @param {Record<Name, Server>} servers
 * @param {{ connections?: number, rounds?: number, windowMs?: number, warmUpMs?: number }} [options]
 * @returns {Promise<Record<Name, Rounds>>}
 */
export async function closedLoopInTurns(client, servers, options = {}) {
  const { connections = 16, rounds = 5, windowMs = 900, warmUpMs = WARM_UP_MS } = options;
  const entries = /** @type {[Name, Server][]} */ (Object.entries(servers));
  /** @type {Record<string, Rounds>} */
  const results = Object.fromEntries(entries.map(([name]) => [name, { cpuUs: [], perSecond: [] }]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, { origin, requests, process }] of entries) {
      const before = await process.read();
      const durationMs = round < 0 ? warmUpMs : windowMs;
      const { answered, elapsedMs } = await client.ask({
        ...{ type: 'closed', origin, requests, connections, durationMs },
      });
      const after = await process.read();
      if (round < 0) continue;
      results[name]?.cpuUs.push(((after.cpuMs - before.cpuMs) * 1000) / answered);
      results[name]?.perSecond.push((answered * 1000) / elapsedMs);
    }
  }
  return /** @type {Record<Name, Rounds>} */ (results);
}
