import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { type EmulatorOptionsInput, parseOptions } from './config.js';
import { Emulator } from './emulator.js';
import { createApp } from './http/app.js';
import type { LoadReport } from './store/telemetry-folder.js';

export interface RunningEmulator extends AsyncDisposable {
  /** For example `http://127.0.0.1:4000`. */
  readonly endpoint: string;
  readonly port: number;
  /** For `APPLICATIONINSIGHTS_CONNECTION_STRING`. */
  readonly connectionString: string;
  /** What was read back from the data folder; null without one. */
  readonly loaded: LoadReport | null;
  /** Counters, as `GET /-/stats` gives them. */
  stats(): ReturnType<Emulator['stats']>;
  /** Begins to write what is accepted to `<runsDirectory>/<id>/telemetry` as well. */
  startRecording(id: string): Promise<void>;
  /** Ends it; the files are complete when this resolves. */
  stopRecording(id: string): Promise<void>;
  /** Resolves once everything accepted is written to every open log. */
  flush(): Promise<void>;
  /** Takes no new requests, finishes those under way, closes the logs. */
  stop(): Promise<void>;
}

export interface StartOptions extends EmulatorOptionsInput {
  /** Told of failures that are this program's own; default: stderr. */
  onInternalError?: (error: unknown) => void;
}

const REQUEST_TIMEOUT_MS = 60_000;
const DRAIN_MS = 5000;

/** Starts listening. Throws with a message that names the option, when one is bad, or the port, when it is taken. */
export async function startAppInsightsEmulator(options: StartOptions = {}): Promise<RunningEmulator> {
  const { onInternalError = printError, ...rest } = options;
  const parsed = parseOptions(rest);
  const emulator = await Emulator.open(parsed);
  const server = http.createServer(
    { requestTimeout: REQUEST_TIMEOUT_MS, headersTimeout: 20_000, keepAliveTimeout: 65_000 },
    createApp({ emulator, onInternalError }),
  );
  server.on('clientError', answerUnreadable);
  await listen(server, parsed).catch(async (error: unknown) => {
    await emulator.close();
    throw error;
  });
  if (parsed.warmQueries) setImmediate(() => emulator.engine.warm());
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://${parsed.host.includes(':') ? `[${parsed.host}]` : parsed.host}:${port}`;
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= closeServer(server).then(() => emulator.close());
    return stopped;
  };
  return {
    endpoint,
    port,
    // Named, so that live metrics of a sender do not go to Azure either.
    connectionString: `InstrumentationKey=${parsed.instrumentationKey};IngestionEndpoint=${endpoint}/;LiveEndpoint=${endpoint}/`,
    loaded: emulator.loaded,
    stats: () => emulator.stats(),
    startRecording: async (id) => void (await emulator.recordings.start(id)),
    stopRecording: async (id) => void (await emulator.recordings.stop(id)),
    flush: () => emulator.flush(),
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function listen(server: http.Server, { port, host }: { port: number; host: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const reason = cause.code === 'EADDRINUSE' ? 'the port is in use' : cause.message;
      reject(new Error(`cannot listen on ${host}:${port}: ${reason}`, { cause }));
    });
    server.listen(port, host, resolve);
  });
}

async function closeServer(server: http.Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
  await closed;
  clearTimeout(timer);
}

const UNREADABLE: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'the headers are too large; send long queries with POST'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time'],
};

/** For what is not HTTP, or too large or slow to become a request: an answer with a body, as for everything else. */
function answerUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const [status, message] = UNREADABLE[error.code ?? ''] ?? [400, 'the request is not HTTP'];
  const errors = [{ index: 0, statusCode: status, message }];
  const body = JSON.stringify({
    itemsReceived: 0,
    itemsAccepted: 0,
    errors,
    error: { code: 'BadArgumentError', message },
  });
  socket.end(
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function printError(error: unknown): void {
  process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
