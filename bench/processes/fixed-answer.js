// node:http and nothing else. Each argument is one server: JSON of an object from path to body.
import http from 'node:http';
import { announce, answered } from './meter.js';

/** @param {Record<string, string>} bodies */
function serve(bodies) {
  const answers = new Map(Object.entries(bodies).map(([path, body]) => [path, Buffer.from(body)]));
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const url = request.url ?? '/';
    const end = url.indexOf('?');
    const body = answers.get(end < 0 ? url : url.slice(0, end));
    answered.count += 1;
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': body?.length ?? 0,
    });
    response.end(body);
  });
  return new Promise((resolve) => {
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () =>
      resolve(/** @type {import('node:net').AddressInfo} */ (server.address()).port),
    );
  });
}

const ports = await Promise.all(process.argv.slice(2).map((text) => serve(JSON.parse(text))));
announce({ port: ports[0], ports });
