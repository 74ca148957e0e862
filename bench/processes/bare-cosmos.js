// The least a server of signed queries can do: read the body, check the signature, look the ready answer up, send it.
// Told by message: { type: 'answers', key, link, answers: [body of the request, { headers, body }][] }.
import { createHmac } from 'node:crypto';
import http from 'node:http';
import { announce } from './meter.js';

/** As long as the stand-in keeps it, so that both announce the same. */
const KEEP_ALIVE_MS = 600_000;

/** @type {Map<string, { headers: string[], body: string }>} */
let answers = new Map();
/** @type {Buffer} */
let key;
let link = '';
/** Signatures by date: a date has a resolution of a second, so each is computed once, as the stand-in does. */
const signatures = new Map();

/** @param {string} date */
function expected(date) {
  const known = signatures.get(date);
  if (known !== undefined) return known;
  const payload = `post\ndocs\n${link}\n${date.toLowerCase()}\n\n`;
  const signature = createHmac('sha256', key).update(payload, 'utf8').digest('base64');
  const header = encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
  signatures.set(date, header);
  return header;
}

const server = http.createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { authorization, 'x-ms-date': date } = request.headers;
    const answer = answers.get(Buffer.concat(chunks).toString('utf8'));
    if (answer === undefined || authorization !== expected(String(date))) {
      response.writeHead(answer === undefined ? 404 : 401, { 'content-length': 0 }).end();
      return;
    }
    response.writeHead(200, answer.headers);
    response.end(answer.body);
  });
});

process.on('message', (/** @type {any} */ message) => {
  if (message?.type !== 'answers') return;
  answers = new Map(message.answers);
  key = Buffer.from(message.key, 'base64');
  link = message.link;
  process.send?.({ type: 'answers-taken' });
});
server.listen({ port: 0, host: '127.0.0.1', backlog: 1024 }, () => {
  announce({ port: /** @type {import('node:net').AddressInfo} */ (server.address()).port });
});
