import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** How a receiver behaves; `down` closes its port. */
export type Fault =
  | { kind: 'ok' }
  | { kind: 'down' }
  | { kind: 'slow'; delayMs: number }
  | { kind: 'status'; status: number; body: 'json' | 'empty' };

export interface FaultyReceiver extends AsyncDisposable {
  readonly endpoint: string;
  readonly requests: number;
  set(fault: Fault): Promise<void>;
}

/** Stands before a real receiver and passes on what it gets, unless it is told to fail. */
export async function startFaultyReceiver(target: string): Promise<FaultyReceiver> {
  let fault: Fault = { kind: 'ok' };
  let requests = 0;
  const timers = new Set<NodeJS.Timeout>();
  const server = http.createServer((request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      if (fault.kind === 'status') {
        const text = fault.body === 'json' ? JSON.stringify(refusal(fault.status)) : '';
        response.writeHead(fault.status, { 'content-type': 'application/json' }).end(text);
        return;
      }
      const delayMs = fault.kind === 'slow' ? fault.delayMs : 0;
      const timer = setTimeout(() => {
        timers.delete(timer);
        void pass(request, response, { body, target });
      }, delayMs);
      timers.add(timer);
    });
  });
  const listen = (port: number) =>
    new Promise<void>((resolve) => {
      server.listen(port, '127.0.0.1', resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    endpoint: `http://127.0.0.1:${port}`,
    get requests() {
      return requests;
    },
    async set(next) {
      fault = next;
      if (next.kind === 'down' && server.listening) await close();
      else if (next.kind !== 'down' && !server.listening) await listen(port);
    },
    async [Symbol.asyncDispose]() {
      for (const timer of timers) clearTimeout(timer);
      if (server.listening) await close();
    },
  };
}

const refusal = (status: number) => ({
  itemsReceived: 0,
  itemsAccepted: 0,
  errors: [{ index: 0, statusCode: status, message: 'told to' }],
});

async function pass(
  request: http.IncomingMessage,
  response: http.ServerResponse,
  { body, target }: { body: Buffer; target: string },
): Promise<void> {
  const answer = await fetch(target + request.url, {
    method: request.method ?? 'POST',
    headers: { 'content-type': request.headers['content-type'] ?? '' },
    body: new Uint8Array(body),
  }).catch(() => null);
  if (answer === null) {
    response.destroy();
    return;
  }
  const text = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' }).end(text);
}
