import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { StackError } from '../stack/errors.js';
import type { Access } from './access.js';
import type { Console } from './console.js';
import { ConsoleError } from './errors.js';
import { readJson, send, sendJson, sendProblem } from './http.js';
import { openApiDocument } from './openapi.js';
import { findRoute } from './routes.js';
import { pageFile } from './static-files.js';

export interface ConsoleServer {
  port: number;
  close(): Promise<void>;
}

/** Serves the page and the API at one address with one kind of access. Throws PORT_BUSY. */
export async function serveConsole(options: {
  console: Console;
  access: Access;
  host: string;
  port: number;
}): Promise<ConsoleServer> {
  const { console, access, host, port } = options;
  const server = http.createServer((request, response) => {
    answer({ console, access, request, response }).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else sendProblem(response, error);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(listenError(cause, host, port)));
    server.listen({ host, port, exclusive: true }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(context: {
  console: Console;
  access: Access;
  request: http.IncomingMessage;
  response: http.ServerResponse;
}): Promise<void> {
  const { console, access, request, response } = context;
  const url = new URL(request.url ?? '/', 'http://console');
  const cookie = access.admit(request, url);
  if (cookie !== null) {
    // The token leaves the address, so that nobody reads it from the screen.
    return send(response, {
      ...{ status: 303, type: 'text/plain', body: '' },
      headers: { 'set-cookie': cookie, location: url.pathname },
    });
  }
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  if (method === 'GET') {
    if (url.pathname === '/api/events') {
      return console.events.open(response, await console.state(access.readOnly));
    }
    if (url.pathname === '/api/openapi.json') {
      return sendJson(response, 200, openApiDocument(console.version));
    }
    const file = pageFile(url.pathname);
    if (file !== null) return send(response, { status: 200, ...file });
  }
  await callRoute({ ...context, method, url });
}

async function callRoute(context: {
  console: Console;
  access: Access;
  request: http.IncomingMessage;
  response: http.ServerResponse;
  method: string;
  url: URL;
}): Promise<void> {
  const { console, access, request, response, method, url } = context;
  const { route, params, methods } = findRoute(method, url.pathname);
  if (route === null) {
    if (methods.length > 0) {
      throw new ConsoleError(
        'METHOD_NOT_ALLOWED',
        `${url.pathname} takes ${methods.join(', ')}, not ${method}`,
      );
    }
    throw new ConsoleError('NOT_FOUND', `${url.pathname} is not there; /api/openapi.json describes what is`);
  }
  if (route.access === 'control' && access.readOnly) {
    throw new ConsoleError('READ_ONLY', `${method} ${url.pathname} is not for the room`);
  }
  const given = Object.fromEntries(url.searchParams);
  const query = (route.query === undefined ? {} : route.query.parse(given)) as Record<string, string>;
  const body = route.body === undefined ? null : route.body.parse(await readJson(request));
  const result = await route.handle({ console, readOnly: access.readOnly, params, query, body });
  sendJson(response, route.status ?? 200, result);
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  if (cause.code === 'EADDRINUSE') {
    return new StackError(
      'PORT_BUSY',
      `port ${port} on ${host} is in use; choose another with --port, or 0`,
      { cause },
    );
  }
  return new StackError('CONTROL_FAILED', `the console can not listen on ${host}: ${cause.message}`, {
    cause,
  });
}
