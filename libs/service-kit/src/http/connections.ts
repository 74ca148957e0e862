import type http from 'node:http';
import net from 'node:net';

export interface ConnectionLimits {
  /** Age after which a connection is closed with its next answer, ±20 % each; 0: never. */
  maxAgeMs: number;
  /** Requests after which a connection is closed with its answer; 0: never. */
  maxRequests: number;
}

interface Connection {
  retireAtMs: number;
  requests: number;
  inFlight: number;
  quietSinceMs: number;
}

/**
 * The connections of a public port: recycled by age and requests so that replicas share the load, and drained without
 * failing a request. Both close a connection only with an answer that says `connection: close`, so that no client finds
 * out by sending into a closed socket.
 */
export class Connections {
  readonly #server: http.Server;
  readonly #limits: ConnectionLimits;
  readonly #random: () => number;
  readonly #open = new Map<net.Socket, Connection>();
  readonly #answers = new Set<http.ServerResponse>();
  #draining = false;

  constructor(server: http.Server, options: ConnectionLimits & { random?: () => number }) {
    this.#server = server;
    this.#limits = options;
    this.#random = options.random ?? Math.random;
    server.on('connection', (socket: net.Socket) => this.#opened(socket));
    server.prependListener('request', (req, res) => this.#requested(req, res));
  }

  /**
   * Stops accepting, answers what is in flight or still arrives, and closes each connection with an answer or once it has
   * been quiet for `lingerMs`. Connections left after `graceMs` are cut.
   * @returns how many requests were cut off
   */
  async drain({ graceMs, lingerMs }: { graceMs: number; lingerMs: number }): Promise<number> {
    this.#draining = true;
    // http.Server.close() would also close idle connections at once, in the face of requests already on their way.
    if (this.#server.listening) net.Server.prototype.close.call(this.#server);
    for (const res of this.#answers) markLast(res);
    const startMs = performance.now();
    while (this.#open.size > 0 && performance.now() - startMs < graceMs) {
      const lingeredSinceMs = performance.now() - lingerMs;
      if (startMs <= lingeredSinceMs) this.#closeQuietSince(lingeredSinceMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    const cutOff = this.#answers.size;
    for (const socket of this.#open.keys()) socket.destroy();
    return cutOff;
  }

  #closeQuietSince(sinceMs: number): void {
    for (const [socket, connection] of this.#open) {
      if (connection.inFlight === 0 && connection.quietSinceMs <= sinceMs) socket.end();
    }
  }

  #opened(socket: net.Socket): void {
    const nowMs = performance.now();
    const { maxAgeMs } = this.#limits;
    const ageMs = maxAgeMs === 0 ? Number.POSITIVE_INFINITY : maxAgeMs * (0.8 + 0.4 * this.#random());
    this.#open.set(socket, { retireAtMs: nowMs + ageMs, requests: 0, inFlight: 0, quietSinceMs: nowMs });
    socket.once('close', () => this.#open.delete(socket));
  }

  #requested(req: http.IncomingMessage, res: http.ServerResponse): void {
    const connection = this.#open.get(req.socket);
    if (!connection) return;
    connection.requests += 1;
    connection.inFlight += 1;
    this.#answers.add(res);
    res.once('close', () => {
      connection.inFlight -= 1;
      connection.quietSinceMs = performance.now();
      this.#answers.delete(res);
    });
    if (this.#draining || this.#isSpent(connection)) markLast(res);
  }

  #isSpent({ requests, retireAtMs }: Connection): boolean {
    const { maxRequests } = this.#limits;
    return (maxRequests > 0 && requests >= maxRequests) || performance.now() >= retireAtMs;
  }
}

function markLast(res: http.ServerResponse): void {
  if (!res.headersSent) res.setHeader('connection', 'close');
}
