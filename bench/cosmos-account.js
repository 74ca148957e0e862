import { createHmac } from 'node:crypto';
import { CONTAINERS } from '@bottleneck-lab/contracts';
import { WELL_KNOWN_KEY } from '@bottleneck-lab/cosmos-emulator';

/** @import { Child } from './child.js' */
/** @typedef {{ method: 'POST', path: string, headers: Record<string, string>, body: string }} SignedRequest */

export const DOCUMENTS = 2_000;
const DATABASE = 'invoicing';
/** @typedef {{ id: string, partitionKeyPath: string }} Container */
const BY_OWNER = CONTAINERS.utilizationByOwner;
const LINK = `dbs/${DATABASE}/colls/${BY_OWNER.id}`;
const MONTHS = 12;
const NOTES =
  'Wind within limits over the whole route; battery changed at the depot; no deviation from the plan. ';
const QUERY = 'SELECT * FROM c WHERE c.ownerId = @ownerId AND c.year = @year AND c.month = @month';
/** Enough different queries that no cache of answers would help, and that all partitions are asked. */
const QUERIES = 500;
const SEEDING_AT_ONCE = 16;

export const QUERY_LINK = LINK;

/** @param {number} index */
function documentOf(index) {
  return {
    id: `d${index}`,
    deliveryId: `delivery-${index}`,
    type: 'DroneUtilization',
    ...monthOf(index),
    traveledMiles: 100 + (index % 400) / 4,
    assignedHours: 10 + (index % 80) / 8,
    notes: NOTES.repeat(6),
  };
}

/** @param {number} index */
function monthOf(index) {
  const ownerId = `o${String(Math.floor(index / MONTHS)).padStart(6, '0')}`;
  return { ownerId, year: 2019, month: (index % MONTHS) + 1 };
}

/**
 * A request with the headers that the official client sends.
 * @param {{ path: string, type: string, link: string, body: unknown, headers?: Record<string, string> }} options
 * @returns {SignedRequest}
 */
function signed({ path, type, link, body, headers = {} }) {
  const date = new Date().toUTCString();
  const signature = createHmac('sha256', Buffer.from(WELL_KNOWN_KEY, 'base64'))
    .update(`post\n${type}\n${link}\n${date.toLowerCase()}\n\n`, 'utf8')
    .digest('base64');
  return {
    method: 'POST',
    path,
    headers: {
      authorization: encodeURIComponent(`type=master&ver=1.0&sig=${signature}`),
      'x-ms-date': date,
      'x-ms-version': '2020-07-15',
      accept: 'application/json',
      'cache-control': 'no-cache',
      'user-agent': 'Node.js/20 (linux; x64) azure-cosmos-js/4.9.3',
      'x-ms-documentdb-query-enablecrosspartition': 'true',
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  };
}

/** Queries for one owner's month, each answered by one document from one partition. Good for 15 minutes, as any signature. */
export function targetedQueries() {
  return Array.from({ length: QUERIES }, (_, i) => {
    const { ownerId, year, month } = monthOf((i * 7) % DOCUMENTS);
    const parameters = [
      { name: '@ownerId', value: ownerId },
      { name: '@year', value: year },
      { name: '@month', value: month },
    ];
    return signed({
      path: `/${LINK}/docs`,
      type: 'docs',
      link: LINK,
      body: { query: QUERY, parameters },
      headers: {
        'content-type': 'application/query+json',
        'x-ms-documentdb-isquery': 'true',
        'x-ms-documentdb-partitionkey': JSON.stringify([ownerId]),
      },
    });
  });
}

/** Creates the database and containers with the same documents. @param {string} origin @param {Container[]} [containers] */
export async function seedAccount(origin, containers = [BY_OWNER]) {
  await expectCreated(origin, signed({ path: '/dbs', type: 'dbs', link: '', body: { id: DATABASE } }));
  for (const container of containers) await seedContainer(origin, container);
}

/** @param {string} origin @param {Container} container */
async function seedContainer(origin, { id, partitionKeyPath }) {
  const partitionKey = { paths: [partitionKeyPath], kind: 'Hash', version: 2 };
  const database = `dbs/${DATABASE}`;
  await expectCreated(
    origin,
    signed({ path: `/${database}/colls`, type: 'colls', link: database, body: { id, partitionKey } }),
  );
  const link = `${database}/colls/${id}`;
  const keyOf = (/** @type {Record<string, unknown>} */ document) => document[partitionKeyPath.slice(1)];
  for (let first = 0; first < DOCUMENTS; first += SEEDING_AT_ONCE) {
    const count = Math.min(SEEDING_AT_ONCE, DOCUMENTS - first);
    await Promise.all(
      Array.from({ length: count }, (_, i) => {
        const body = documentOf(first + i);
        const headers = { 'x-ms-documentdb-partitionkey': JSON.stringify([keyOf(body)]) };
        return expectCreated(origin, signed({ path: `/${link}/docs`, type: 'docs', link, body, headers }));
      }),
    );
  }
}

/** @param {string} origin @param {SignedRequest} request */
async function expectCreated(origin, { path, ...init }) {
  const response = await fetch(origin + path, init);
  if (response.status !== 201)
    throw new Error(`POST ${path}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  await response.arrayBuffer();
}

/**
 * Starts the stand-in with what the queries need, without limits and without modelled latency.
 * @param {import('./child.js').Children} children
 * @param {Container[]} [containers]
 */
export async function startStandIn(children, containers) {
  const process = children.start(new URL(import.meta.resolve('@bottleneck-lab/cosmos-emulator/main')), {
    args: ['--port', '0', '--no-throttling', '--physical-partitions', '9'],
  });
  const { port } = await process.listening();
  const origin = `http://127.0.0.1:${port}`;
  await seedAccount(origin, containers);
  return { origin, process };
}

/** Each answer has to hold the one document that was asked for. @param {string} origin @param {SignedRequest[]} queries */
export async function expectOneDocumentEach(origin, queries) {
  for (const { path, ...init } of queries.slice(0, 20)) {
    const response = await fetch(origin + path, init);
    const answer = /** @type {any} */ (await response.json());
    const asked = JSON.parse(init.body).parameters[0].value;
    if (response.status !== 200 || answer.Documents?.length !== 1 || answer.Documents[0].ownerId !== asked)
      throw new Error(
        `${origin} gave a wrong answer: ${response.status} ${JSON.stringify(answer).slice(0, 300)}`,
      );
  }
}
