import type { Socket } from 'node:net';
import { buildConnector, Client, type Dispatcher } from 'undici';

/** How long an idle connection is kept when the server does not say; as long as Go's default transport does. */
const IDLE_MS = 90_000;

export interface ConnectionSettings {
  readonly insecureSkipTlsVerify: boolean;
  readonly noConnectionReuse: boolean;
}

/** One keep-alive connection to one origin, with the times of its last handshake (`performance.now()`). */
export class Connection {
  readonly origin: string;
  readonly #client: Client;
  #socket: Socket | undefined;
  #closedBytes = { sent: 0, received: 0 };
  handshakeStart = 0;
  connected = 0;
  secured = 0;

  constructor(origin: string, settings: ConnectionSettings) {
    this.origin = origin;
    const connect = buildConnector({ rejectUnauthorized: !settings.insecureSkipTlsVerify });
    this.#client = new Client(origin, {
      // The request's own timeout covers all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: IDLE_MS,
      keepAliveMaxTimeout: IDLE_MS,
      pipelining: settings.noConnectionReuse ? 0 : 1,
      connect: (options, callback) => {
        this.handshakeStart = performance.now();
        const socket = connect(options, (...result) => {
          this.secured = performance.now();
          callback(...result);
        }) as unknown as Socket | undefined;
        socket?.once('connect', () => {
          this.connected = performance.now();
        });
        if (socket !== undefined) this.#follow(socket);
      },
    });
  }

  get remoteAddress(): { ip: string; port: number } {
    return { ip: this.#socket?.remoteAddress ?? '', port: this.#socket?.remotePort ?? 0 };
  }

  /** Bytes of all sockets that this connection has had. */
  get bytes(): { sent: number; received: number } {
    return {
      sent: this.#closedBytes.sent + (this.#socket?.bytesWritten ?? 0),
      received: this.#closedBytes.received + (this.#socket?.bytesRead ?? 0),
    };
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#client.dispatch(options, handler);
  }

  destroy(): void {
    void this.#client.destroy();
  }

  #follow(socket: Socket): void {
    const before = this.bytes;
    this.#closedBytes = before;
    this.#socket = socket;
  }
}

/**
 * The connections of one virtual user. k6 gives every user its own pool, so that users do not share connections; the
 * connection used last is used first.
 */
export class VuConnections {
  readonly #settings: ConnectionSettings;
  readonly #idle = new Map<string, Connection[]>();
  readonly #all = new Set<Connection>();
  #retiredBytes = { sent: 0, received: 0 };

  constructor(settings: ConnectionSettings) {
    this.#settings = settings;
  }

  get bytes(): { sent: number; received: number } {
    const total = { ...this.#retiredBytes };
    for (const connection of this.#all) {
      const { sent, received } = connection.bytes;
      total.sent += sent;
      total.received += received;
    }
    return total;
  }

  acquire(origin: string): Connection {
    const known = this.#idle.get(origin)?.pop();
    if (known !== undefined) return known;
    const connection = new Connection(origin, this.#settings);
    this.#all.add(connection);
    return connection;
  }

  release(connection: Connection): void {
    const idle = this.#idle.get(connection.origin);
    if (idle === undefined) this.#idle.set(connection.origin, [connection]);
    else idle.push(connection);
  }

  /** Closes a connection whose request was broken off. */
  retire(connection: Connection): void {
    const { sent, received } = connection.bytes;
    this.#retiredBytes.sent += sent;
    this.#retiredBytes.received += received;
    this.#all.delete(connection);
    connection.destroy();
  }

  destroy(): void {
    for (const connection of this.#all) connection.destroy();
    this.#all.clear();
    this.#idle.clear();
  }
}
