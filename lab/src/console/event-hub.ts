import type http from 'node:http';
import type { ConsoleEvents } from './api.js';

/** Server-sent events to everybody who listens. */
export interface EventHub {
  send<Name extends keyof ConsoleEvents>(name: Name, data: ConsoleEvents[Name]): void;
  /** Answers with a stream that begins with the whole state, so that a connection after a break misses nothing. */
  open(response: http.ServerResponse, state: ConsoleEvents['state']): void;
  listeners(): number;
  close(): void;
}

const BEAT_MS = 2_000;
/** Of a listener that does not read; it comes back by itself and gets the whole state. */
const LONGEST_BACKLOG_BYTES = 4 * 1024 * 1024;

export function createEventHub(options: { beatMs?: number } = {}): EventHub {
  const open = new Set<http.ServerResponse>();
  const write = (response: http.ServerResponse, name: string, data: unknown) => {
    if (response.writableLength > LONGEST_BACKLOG_BYTES) response.destroy();
    else response.write(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const send: EventHub['send'] = (name, data) => {
    for (const response of open) write(response, name, data);
  };
  const beat = setInterval(() => send('beat', { atMs: Date.now() }), options.beatMs ?? BEAT_MS);
  beat.unref();

  return {
    send,
    open(response, state) {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
      });
      response.write('retry: 1000\n\n');
      open.add(response);
      response.once('close', () => open.delete(response));
      write(response, 'state', state);
    },
    listeners: () => open.size,
    close() {
      clearInterval(beat);
      for (const response of open) response.end();
    },
  };
}
