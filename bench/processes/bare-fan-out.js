// What the gateway does, without what makes it a service: three parallel calls by undici, one merged answer by node:http.
// Arguments: the origins of the three backends.
import http from 'node:http';
import { Pool } from 'undici';
import { announce } from './meter.js';

const PATHS = ['/api/deliveries/summary', '/api/dronedeliveries/utilization', '/api/packages/summary'];
const CONNECTIONS = 64;

const pools = process.argv
  .slice(2)
  .map((origin) => new Pool(origin, { connections: CONNECTIONS, pipelining: 1, keepAliveTimeout: 60_000 }));

/** @param {string} search */
async function invoice(search) {
  const [deliveries, drones, packages] = await Promise.all(
    pools.map(async (pool, index) => {
      const { body } = await pool.request({ method: 'GET', path: PATHS[index] + search });
      return JSON.parse(await body.text());
    }),
  );
  return JSON.stringify({ deliveries, drones, packages });
}

const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
  const url = request.url ?? '/';
  invoice(url.slice(url.indexOf('?'))).then(
    (text) => {
      response.writeHead(200, {
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(text),
      });
      response.end(text);
    },
    (error) => response.writeHead(502).end(String(error)),
  );
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  announce({ port: /** @type {import('node:net').AddressInfo} */ (server.address()).port });
});
