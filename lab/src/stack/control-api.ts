import { timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { knobs as scenarioKnobs } from '../scenarios/index.js';
import { StackError } from './errors.js';
import { announcedLoad, loadProgress, usersAnswer } from './load-board.js';
import type { Stack } from './stack.js';

/** The control routes of a running stack: loopback, one token, JSON. */
export interface ControlApi {
  url: string;
  close(): Promise<void>;
}

const BODY_LIMIT_BYTES = 64 * 1024;
const { burst: _burst, ...appliedShape } = scenarioKnobs.shape;
const seed = z.int().min(0).max(4_294_967_295);

const restoreRequest = z.strictObject({
  knobs: z.strictObject({ ...appliedShape, burstSeconds: z.number().min(0).max(3_600) }),
  seed,
});
/** `model` is off while warming up. */
const applyRequest = restoreRequest.extend({
  model: z.enum(['off', 'on']),
  /** What a mystery sets is told to nobody. */
  hidden: z.boolean().default(false),
});
const reportRequest = z.strictObject({
  run: z.string(),
  progress: loadProgress,
  points: z.array(z.looseObject({ second: z.number() })),
});

const turnRequest = z.strictObject({ knob: z.string(), value: z.union([z.number(), z.string()]) });

type Handler = (request: {
  query: URLSearchParams;
  body: () => Promise<unknown>;
  /** Fires when whoever asked has gone. */
  gone: AbortSignal;
}) => Promise<unknown>;

export async function startControlApi(options: {
  stack: Stack;
  token: string;
  host?: string;
  onStop: () => void;
}): Promise<ControlApi> {
  const { stack, token, onStop } = options;
  const routes: Record<string, Handler> = {
    'GET /status': async () => stack.status(),
    // Held open until a process dies, so that whoever waits learns it at once.
    'GET /failure': () => stack.failed(),
    'GET /departed-rows': async ({ query }) => stack.departedRows(Number(query.get('since') ?? 0)),
    'POST /knobs': async ({ body }) => {
      const { knobs, ...choice } = applyRequest.parse(await body());
      return stack.applyKnobs(knobs, choice);
    },
    // Turned while whatever runs goes on; `/turns` is held open until there is one after `since`.
    'POST /turn': async ({ body }) => {
      const { knob, value } = turnRequest.parse(await body());
      return stack.turn(knob, value);
    },
    'GET /turns': ({ query }) => stack.turns.after(Number(query.get('since') ?? 0)),
    // Held open for as long as a load runs; the end of the connection is the end of the load.
    'POST /load': async ({ body, gone }) => stack.loads.announce(announcedLoad.parse(await body()), gone),
    'POST /load/report': async ({ body }) => {
      const { run, progress, points } = reportRequest.parse(await body());
      stack.loads.report(run, progress, points);
      return {};
    },
    'GET /load': ({ query, gone }) =>
      stack.loads.follow(
        {
          version: Number(query.get('version') ?? 0),
          run: query.get('run') ?? '',
          known: Number(query.get('known') ?? 0),
        },
        gone,
      ),
    'GET /load/orders': ({ query, gone }) => stack.loads.orders(Number(query.get('after') ?? 0), gone),
    'POST /load/answer': async ({ body }) => {
      stack.loads.answer(usersAnswer.parse(await body()));
      return {};
    },
    'POST /reveal': async () => {
      stack.reveal();
      return {};
    },
    'GET /turns/last': async () => ({ sequence: stack.turns.last() }),
    'POST /reset': async () => {
      await stack.reset();
      return {};
    },
    'POST /restore': async ({ body }) => {
      const { knobs, ...choice } = restoreRequest.parse(await body());
      return stack.restore(knobs, choice);
    },
    'POST /stop': async () => {
      onStop();
      return { state: 'stopping' };
    },
  };

  const server = http.createServer((request, response) => {
    void answer({ request, response, routes, token });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host ?? '127.0.0.1', port: 0, exclusive: true }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host ?? '127.0.0.1'}:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(context: {
  request: http.IncomingMessage;
  response: http.ServerResponse;
  routes: Record<string, Handler>;
  token: string;
}): Promise<void> {
  const { request, response, routes, token } = context;
  const send = (status: number, body: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  };
  if (!isAuthorized(request.headers.authorization, token)) {
    return send(401, { code: 'UNAUTHORIZED', message: 'send the token of stack.json as a bearer token' });
  }
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://control');
  const handler = routes[`${request.method} ${pathname}`];
  if (handler === undefined) {
    return send(404, {
      code: 'NOT_FOUND',
      message: `no such route; known: ${Object.keys(routes).join(', ')}`,
    });
  }
  try {
    send(200, await handler({ query: searchParams, body: () => readJson(request), gone: gone.signal }));
  } catch (error) {
    const { status, body } = describeError(error);
    send(status, body);
  }
}

function isAuthorized(header: string | undefined, token: string): boolean {
  const given = Buffer.from(header ?? '');
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function readJson(request: http.IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES)
      throw new BadRequestError(`the body is larger than ${BODY_LIMIT_BYTES} bytes`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    throw new BadRequestError('the body is not JSON');
  }
}

class BadRequestError extends Error {}

function describeError(error: unknown): { status: number; body: object } {
  if (error instanceof z.ZodError) {
    const message = error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
    return { status: 400, body: { code: 'BAD_REQUEST', message } };
  }
  if (error instanceof BadRequestError)
    return { status: 400, body: { code: 'BAD_REQUEST', message: error.message } };
  if (error instanceof StackError) {
    const { code, message, lastLines } = error;
    return { status: 409, body: { code, message, lastLines } };
  }
  return { status: 500, body: { code: 'INTERNAL', message: (error as Error).message } };
}
