import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** Distinguishes connections. */
  readonly connection: number;
}

export interface Target extends AsyncDisposable {
  readonly url: string;
  readonly seen: SeenRequest[];
}

export type Answer = (request: SeenRequest, response: http.ServerResponse) => void;

export const INVOICE = { deliveries: { count: 3 }, drones: { traveledMiles: 1 }, packages: { count: 2 } };

export const answerInvoice: Answer = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(INVOICE));
};

/** A real server on a free port that remembers what it was asked. */
export async function startTarget(answer: Answer = answerInvoice): Promise<Target> {
  const seen: SeenRequest[] = [];
  const server = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const entry: SeenRequest = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', 'http://target'),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
        connection: request.socket.remotePort ?? 0,
      };
      seen.push(entry);
      answer(entry, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The address of a port where nobody listens. */
export async function closedAddress(): Promise<string> {
  const target = await startTarget();
  await target[Symbol.asyncDispose]();
  return target.url;
}
