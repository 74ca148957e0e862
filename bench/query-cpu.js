import http from 'node:http';
import { WELL_KNOWN_KEY } from '@bottleneck-lab/cosmos-emulator';
import { withChildren } from './child.js';
import { closedLoopInTurns } from './closed-loop.js';
import { expectOneDocumentEach, QUERY_LINK, startStandIn, targetedQueries } from './cosmos-account.js';
import { measured, ratio } from './result.js';

/** @import { SignedRequest } from './cosmos-account.js' */

/** What Node adds by itself to every answer, and so to the bare server's. */
const ADDED_BY_NODE = ['date', 'connection', 'keep-alive'];

/** @type {import('./result.js').Benchmark} */
export const queryCpu = {
  name: 'query-cpu',
  about: "the Cosmos DB stand-in's CPU time per targeted query, against a bare server of the same answers",
  run: () =>
    withChildren(async (children) => {
      const client = children.start(new URL('./processes/client.js', import.meta.url));
      const bare = children.start(new URL('./processes/bare-cosmos.js', import.meta.url));
      const [{ port }, standIn] = await Promise.all([bare.listening(), startStandIn(children)]);
      const requests = targetedQueries();
      await expectOneDocumentEach(standIn.origin, requests);
      const origin = `http://127.0.0.1:${port}`;
      const answers = await recordAnswers(standIn.origin, requests);
      await bare.ask({ type: 'answers', key: WELL_KNOWN_KEY, link: QUERY_LINK, answers }, 'answers-taken');
      await expectOneDocumentEach(origin, requests);
      const rounds = await closedLoopInTurns(client, {
        standIn: { ...standIn, requests },
        bare: { origin, requests, process: bare },
      });
      const of = { unit: 'us/query' };
      return {
        measured: [
          measured('stand-in', rounds.standIn.cpuUs, of),
          measured('bare node:http, same bytes, headers and signatures', rounds.bare.cpuUs, of),
        ],
        findings: [
          ratio('stand-in / bare server', [rounds.standIn.cpuUs, rounds.bare.cpuUs], { atMost: 2.5 }),
        ],
      };
    }),
};

/** The stand-in's own answers, by the body that asks for each. @param {string} origin @param {SignedRequest[]} requests */
async function recordAnswers(origin, requests) {
  const answers = [];
  for (const request of requests) answers.push([request.body, await recordAnswer(origin, request)]);
  return answers;
}

/** @param {string} origin @param {SignedRequest} request @returns {Promise<{ headers: string[], body: string }>} */
function recordAnswer(origin, { path, method, headers, body }) {
  return new Promise((resolve, reject) => {
    const request = http.request(origin + path, { method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ headers: ownHeaders(response.rawHeaders), body: text }));
    });
    request.on('error', reject).end(body);
  });
}

/** @param {string[]} raw names and values in turns */
function ownHeaders(raw) {
  return raw.filter((_, i) => !ADDED_BY_NODE.includes(String(raw[i - (i % 2)]).toLowerCase()));
}
