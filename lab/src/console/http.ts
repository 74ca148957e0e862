import type http from 'node:http';
import { z } from 'zod';
import { ResultError } from '../results/index.js';
import { ScenarioError } from '../scenarios/index.js';
import { StackError } from '../stack/errors.js';
import { TelemetryError } from '../telemetry/errors.js';
import { WorkshopError } from '../workshop/index.js';
import { CONSOLE_ERRORS, ConsoleError, type ConsoleErrorCode } from './errors.js';

const BODY_LIMIT_BYTES = 256 * 1024;

/** What the page may load: only what this server gives, nothing inline, and in nobody's frame. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export function send(
  response: http.ServerResponse,
  answer: { status: number; type: string; body: string | Buffer; headers?: Record<string, string> },
): void {
  const { status, type, body, headers = {} } = answer;
  response.writeHead(status, {
    ...PAGE_HEADERS,
    'content-type': type,
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    ...headers,
  });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

export function sendJson(response: http.ServerResponse, status: number, value: unknown): void {
  send(response, { status, type: 'application/json', body: JSON.stringify(value) });
}

/** RFC 9457. */
export function sendProblem(response: http.ServerResponse, error: unknown): void {
  const { code, detail } = describe(error);
  const { status, title } = CONSOLE_ERRORS[code];
  const { method, url = '/', headers } = response.req;
  // Whoever opens an address in a browser reads a page, not JSON.
  if (method === 'GET' && !url.startsWith('/api/') && /\btext\/html\b/.test(headers.accept ?? '')) {
    send(response, {
      status,
      type: 'text/html; charset=utf-8',
      body: problemPage(`${status}: ${title}`, detail),
    });
    return;
  }
  send(response, {
    status,
    type: 'application/problem+json',
    body: JSON.stringify({ type: 'about:blank', title, status, code, detail }),
  });
}

function problemPage(title: string, detail: string): string {
  const [shownTitle, shownDetail] = [title, detail].map(escaped);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Lab console</title></head><body><main><h1>${shownTitle}</h1><p>${shownDetail}</p></main></body></html>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string) => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '');

function describe(error: unknown): { code: ConsoleErrorCode; detail: string } {
  const { message } = error as Error;
  if (error instanceof ConsoleError) return { code: error.code, detail: message };
  if (error instanceof z.ZodError) {
    const issues = error.issues.map((issue) =>
      [issue.path.join('.'), issue.message].filter(Boolean).join(': '),
    );
    return { code: 'BAD_REQUEST', detail: issues.join('; ') };
  }
  if (error instanceof ScenarioError) return { code: 'BAD_REQUEST', detail: message };
  if (error instanceof ResultError) return { code: 'RUN_UNKNOWN', detail: message };
  if (error instanceof StackError) {
    return { code: error.code === 'KNOB_REFUSED' ? 'KNOB_REFUSED' : 'STACK', detail: message };
  }
  if (error instanceof TelemetryError) {
    return { code: error.code === 'QUERY_REFUSED' ? 'QUERY_REFUSED' : 'TELEMETRY', detail: message };
  }
  if (error instanceof WorkshopError) return { code: 'ANSWER_REFUSED', detail: message };
  return { code: 'INTERNAL', detail: message };
}

/** A body of JSON. Anything else is refused, which also keeps forms of other sites out. */
export async function readJson(request: http.IncomingMessage): Promise<unknown> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/json\b/i.test(type)) {
    throw new ConsoleError('NOT_JSON', `content-type must be application/json, not ${type || 'absent'}`);
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_LIMIT_BYTES) {
      throw new ConsoleError('TOO_LARGE', `the body must not be larger than ${BODY_LIMIT_BYTES} bytes`);
    }
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch (cause) {
    throw new ConsoleError('BAD_REQUEST', `the body is not JSON: ${(cause as Error).message}`, { cause });
  }
}
