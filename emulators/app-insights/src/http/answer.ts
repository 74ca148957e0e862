import type { IncomingMessage, ServerResponse } from 'node:http';

/** What a route gives back; the server writes it. */
export interface Answer {
  status: number;
  /** Serialised as JSON unless it is a Buffer. */
  body: unknown;
  headers?: Record<string, string>;
}

export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  if (response.headersSent || response.destroyed) return;
  const binary = Buffer.isBuffer(answer.body);
  const body = binary ? (answer.body as Buffer) : Buffer.from(JSON.stringify(answer.body));
  response.writeHead(answer.status, {
    'content-type': binary ? 'application/x-protobuf' : 'application/json; charset=utf-8',
    'content-length': body.length,
    ...answer.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
