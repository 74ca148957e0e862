import { STATUS_CODES } from 'node:http';
import type { Timings } from './exchange.js';

export type ResponseType = 'text' | 'binary' | 'none';

const canonicalNames = new Map<string, string>();

/** `x-request-id` becomes `X-Request-Id`, as Go writes header names. */
export function canonicalHeader(name: string): string {
  const known = canonicalNames.get(name);
  if (known !== undefined) return known;
  const canonical = name.toLowerCase().replaceAll(/(^|-)[a-z]/g, (letter) => letter.toUpperCase());
  if (canonicalNames.size < 1_000) canonicalNames.set(name, canonical);
  return canonical;
}

export interface ResponseFields {
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: Record<string, string | string[] | undefined>;
  readonly bytes: Buffer | null;
  readonly responseType: ResponseType;
  readonly timings: Timings;
  readonly error: string;
  readonly errorCode: number;
  readonly url: string;
  readonly request: object;
  readonly remote: { ip: string; port: number };
}

/** A response as scripts see it. Body, headers and JSON are only made when a script asks for them. */
export class HttpResponse {
  readonly status: number;
  readonly status_text: string;
  readonly timings: Timings;
  readonly error: string;
  readonly error_code: number;
  readonly url: string;
  readonly proto: string;
  /** Cookies are not kept by this engine. */
  readonly cookies: object = {};
  readonly request: object;
  readonly remote_ip: string;
  readonly remote_port: number;
  readonly #fields: ResponseFields;
  #headers: Record<string, string> | undefined;
  #body: string | ArrayBuffer | null | undefined;
  #json: { value: unknown } | undefined;

  constructor(fields: ResponseFields) {
    this.#fields = fields;
    this.status = fields.status;
    const reason = fields.statusText || STATUS_CODES[fields.status] || '';
    this.status_text = fields.status === 0 ? '' : `${fields.status} ${reason}`.trimEnd();
    this.timings = fields.timings;
    this.error = fields.error;
    this.error_code = fields.errorCode;
    this.url = fields.url;
    this.proto = fields.status === 0 ? '' : 'HTTP/1.1';
    this.request = fields.request;
    this.remote_ip = fields.remote.ip;
    this.remote_port = fields.remote.port;
  }

  get headers(): Record<string, string> {
    this.#headers ??= Object.fromEntries(
      Object.entries(this.#fields.rawHeaders).map(([name, value]) => [
        canonicalHeader(name),
        Array.isArray(value) ? value.join(', ') : (value ?? ''),
      ]),
    );
    return this.#headers;
  }

  get body(): string | ArrayBuffer | null {
    this.#body ??= this.#decode();
    return this.#body;
  }

  /** The parsed body, or a part of it: `json('items.0.id')`; `#` is the length of a list. */
  json(selector?: string): unknown {
    if (this.#json === undefined) {
      const { bytes } = this.#fields;
      if (bytes === null) throw new Error("the body is null so we can't transform it to JSON");
      this.#json = { value: JSON.parse(bytes.toString('utf8')) };
    }
    return selector === undefined ? this.#json.value : select(this.#json.value, selector);
  }

  html(): never {
    throw new Error('response.html() is not supported by the built-in engine');
  }

  submitForm(): never {
    throw new Error('response.submitForm() is not supported by the built-in engine');
  }

  clickLink(): never {
    throw new Error('response.clickLink() is not supported by the built-in engine');
  }

  #decode(): string | ArrayBuffer | null {
    const { bytes, responseType } = this.#fields;
    if (bytes === null || responseType === 'none') return null;
    if (responseType === 'text') return bytes.toString('utf8');
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  }
}

function select(value: unknown, selector: string): unknown {
  if (/[*?|@{}[\]!:\\]/.test(selector)) {
    throw new Error(
      `json('${selector}'): only dotted paths like 'items.0.id' are supported by the built-in engine`,
    );
  }
  let part = value;
  for (const key of selector.split('.')) {
    if (key === '#' && Array.isArray(part)) part = part.length;
    else if (typeof part === 'object' && part !== null && Object.hasOwn(part, key))
      part = (part as Record<string, unknown>)[key];
    else return undefined;
  }
  return part;
}
