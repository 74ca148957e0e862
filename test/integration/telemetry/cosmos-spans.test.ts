import { once } from 'node:events';
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { COSMOS_PROPERTIES, COSMOS_RETRY_WAIT, DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { node } from '@opentelemetry/sdk-node';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { CosmosInstrumentation } from '../../../libs/telemetry/src/cosmos/instrumentation.js';
import { applyHttpInstrumentation } from '../../../libs/telemetry/src/spans/instrumentations.js';

const QUERY_PATH = '/dbs/invoicing/colls/utilization/docs';
const QUERY_HEADERS = {
  'user-agent': 'Node.js/20 azure-cosmos-js/4',
  'x-ms-documentdb-isquery': 'true',
  'x-ms-documentdb-partitionkeyrangeid': '4',
};

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const exporter = new node.InMemorySpanExporter();
const instrumentation = new CosmosInstrumentation();
let server: Server;
let answer: Answer;

beforeAll(async () => {
  const provider = new node.NodeTracerProvider({ spanProcessors: [new node.SimpleSpanProcessor(exporter)] });
  provider.register();
  instrumentation.setTracerProvider(provider);
  applyHttpInstrumentation();
  server = http.createServer((request, response) => answer(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => exporter.reset());
afterAll(() => {
  instrumentation.disable();
  server.close();
});

const portOf = (listening: Server) => (listening.address() as AddressInfo).port;

/** Asks as the SDK does; resolves when everything about the request is over, with the status or the error's code. */
function ask({ port = portOf(server), headers = QUERY_HEADERS as Record<string, string> } = {}) {
  return new Promise<number | string>((resolve) => {
    let outcome: number | string = '';
    const request = http.request({ host: '127.0.0.1', port, path: QUERY_PATH, method: 'POST', headers });
    request.on('response', (response) => {
      outcome = response.statusCode ?? 0;
      response.on('error', (error: NodeJS.ErrnoException) => {
        outcome = error.code ?? '';
      });
      response.resume();
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      outcome = error.code ?? '';
    });
    request.on('close', () => setImmediate(() => resolve(outcome)));
    request.end('{}');
  });
}

/** Runs `act` inside an operation and returns its spans, without the operation's own. */
async function spansOf<T>(act: () => Promise<T>) {
  const operation = trace.getTracer('test').startSpan('operation');
  const result = await context.with(trace.setSpan(context.active(), operation), act);
  operation.end();
  const spans = exporter.getFinishedSpans().filter(({ name }) => name !== 'operation');
  for (const { parentSpanContext } of spans) {
    expect(parentSpanContext?.spanId).toBe(operation.spanContext().spanId);
  }
  return { result, spans };
}

describe('a request of the Cosmos DB SDK', () => {
  it('is a dependency with what it was and what it cost', async () => {
    answer = (_, response) => response.writeHead(200, { 'x-ms-request-charge': '3.2' }).end('{}');
    const { spans } = await spansOf(ask);
    expect(spans).toHaveLength(1);
    expect(spans[0]).toMatchObject({
      kind: SpanKind.CLIENT,
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'url.full': `http://127.0.0.1:${portOf(server)}${QUERY_PATH}`,
        'ai.dependency.type': DEPENDENCY_TYPES.documentQuery,
        'peer.service': `127.0.0.1:${portOf(server)}|invoicing`,
        [COSMOS_PROPERTIES.attempt]: 1,
        [COSMOS_PROPERTIES.partitionKeyRangeId]: '4',
        [COSMOS_PROPERTIES.requestCharge]: 3.2,
      },
    });
  });

  it('that is answered 429 has failed, and the wait before the next is a span between them', async () => {
    answer = (_, response) => response.writeHead(429, { 'x-ms-retry-after-ms': '25' }).end();
    const { spans } = await spansOf(async () => {
      await ask();
      answer = (_, response) => response.writeHead(200).end();
      await ask();
    });
    expect(spans.map(({ name, status, attributes }) => [name, status.code, attributes])).toEqual([
      ['POST', SpanStatusCode.ERROR, expect.objectContaining({ [COSMOS_PROPERTIES.retryAfterMs]: 25 })],
      [COSMOS_RETRY_WAIT, SpanStatusCode.UNSET, { [COSMOS_PROPERTIES.retryAfterMs]: 25 }],
      ['POST', SpanStatusCode.UNSET, expect.objectContaining({ [COSMOS_PROPERTIES.attempt]: 2 })],
    ]);
  });

  it('that finds nobody has failed, with the error', async () => {
    const closed = http.createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const port = portOf(closed);
    await new Promise((resolve) => closed.close(resolve));
    const { result, spans } = await spansOf(() => ask({ port }));
    expect(result).toBe('ECONNREFUSED');
    expect(spans).toMatchObject([
      { status: { code: SpanStatusCode.ERROR }, events: [{ name: 'exception' }], ended: true },
    ]);
  });

  it('whose answer breaks off has failed', async () => {
    answer = (request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('{');
      response.write('x', () => request.socket.destroy());
    };
    const { spans } = await spansOf(ask);
    expect(spans).toMatchObject([{ status: { code: SpanStatusCode.ERROR }, ended: true }]);
  });

  it('is none outside of an operation, and neither is a request of anybody else', async () => {
    answer = (_, response) => response.end();
    expect(await ask()).toBe(200);
    expect(exporter.getFinishedSpans()).toEqual([]);
    expect((await spansOf(() => ask({ headers: { 'user-agent': 'curl' } }))).spans).toEqual([]);
  });
});
