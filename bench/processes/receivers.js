// Receivers of telemetry, one for each argument: `ok` takes everything, the others fail in the way they are named after.
import http from 'node:http';
import { announce } from './meter.js';

const SLOW_MS = 4_000;
const RESTART_MS = 1_000;

/** @param {number} status @param {number} items */
const answerText = (status, items) =>
  JSON.stringify({
    itemsReceived: items,
    itemsAccepted: status === 200 ? items : 0,
    errors: status === 200 ? [] : [{ index: 0, statusCode: status, message: 'told to' }],
  });

/** @type {Record<string, { status: number, body: boolean, delayMs?: number }>} */
const ANSWERS = {
  ok: { status: 200, body: true },
  down: { status: 200, body: true },
  restarting: { status: 200, body: true },
  slow: { status: 200, body: true, delayMs: SLOW_MS },
  'answers-429': { status: 429, body: true },
  'answers-503': { status: 503, body: true },
  'answers-503-without-body': { status: 503, body: false },
};

/** @param {string} name */
async function serve(name) {
  const answer = ANSWERS[name];
  if (answer === undefined) throw new Error(`no receiver "${name}"; there are ${Object.keys(ANSWERS)}`);
  const { status, body, delayMs = 0 } = answer;
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      const items = Buffer.concat(chunks).toString('latin1').split('"iKey":').length - 1;
      // An exporter of OTLP takes any JSON for success.
      const text = body ? answerText(status, items) : '';
      const send = () => response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      if (delayMs === 0) send();
      else setTimeout(send, delayMs);
    });
  });
  const listen = (/** @type {number} */ port) =>
    new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(undefined)));
  const close = () =>
    new Promise((resolve) => {
      server.close(() => resolve(undefined));
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  if (name === 'down') await close();
  if (name === 'restarting') setInterval(() => void (server.listening ? close() : listen(port)), RESTART_MS);
  return port;
}

const ports = await Promise.all(process.argv.slice(2).map(serve));
announce({ ports });
