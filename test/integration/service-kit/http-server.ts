import http from 'node:http';
import type { AddressInfo } from 'node:net';

export interface TestServer extends AsyncDisposable {
  url: string;
  port: number;
  /** Requests received, probes of liveness left out. */
  requests: http.IncomingMessage[];
  /** Connections open now, and opened since the start. */
  connections(): number;
  opened(): number;
}

/** A real HTTP server that answers liveness probes itself and everything else by `handler`. */
export async function startServer(
  handler: http.RequestListener,
  options: { port?: number } = {},
): Promise<TestServer> {
  const requests: http.IncomingMessage[] = [];
  let opened = 0;
  let open = 0;
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    if (req.url === '/-/live') return sendJson(res, { status: 'live' });
    requests.push(req);
    handler(req, res);
  });
  server.on('connection', (socket) => {
    opened += 1;
    open += 1;
    socket.on('close', () => {
      open -= 1;
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    connections: () => open,
    opened: () => opened,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(res: http.ServerResponse, value: unknown, status = 200): void {
  res.writeHead(status, { 'content-type': status < 400 ? 'application/json' : 'application/problem+json' });
  res.end(JSON.stringify(value));
}
