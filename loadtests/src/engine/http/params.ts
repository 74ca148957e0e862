import { parseDuration } from '../duration.js';
import type { ResponseType } from './response.js';

/** Decides from a status whether a response counts as failed (`http_req_failed`); null: failures are not judged. */
export type ResponseCallback = ((status: number) => boolean) | null;

export interface RequestParams {
  readonly headers: Record<string, string>;
  readonly tags: Record<string, string>;
  readonly timeoutMs: number;
  readonly responseType: ResponseType;
  readonly redirects: number;
  readonly responseCallback: ResponseCallback | undefined;
  readonly throwOnFailure: boolean;
}

export interface ParamDefaults {
  readonly maxRedirects: number;
  readonly discardResponseBodies: boolean;
  readonly throwOnFailure: boolean;
}

const TIMEOUT_MS = 60_000;
const RESPONSE_TYPES = ['text', 'binary', 'none'];
/** Known to k6; leaving them out would change what is sent. */
const UNSUPPORTED = ['auth', 'compression', 'cookies', 'jar'];

/** Reads the `params` argument of an HTTP call. Errors name the field. */
export function readParams(value: unknown, defaults: ParamDefaults): RequestParams {
  const params = (value ?? {}) as Record<string, unknown>;
  for (const name of UNSUPPORTED) {
    if (params[name] !== undefined && params[name] !== null) {
      throw new TypeError(`params.${name} is not supported by the built-in engine`);
    }
  }
  const timeoutMs = params.timeout === undefined ? TIMEOUT_MS : parseDuration(params.timeout);
  if (timeoutMs === undefined)
    throw new TypeError(`params.timeout must be a duration like '30s', not ${params.timeout}`);
  const responseType = params.responseType ?? (defaults.discardResponseBodies ? 'none' : 'text');
  if (!RESPONSE_TYPES.includes(responseType as string)) {
    throw new TypeError(
      `params.responseType must be one of ${RESPONSE_TYPES.join(', ')}, not ${responseType}`,
    );
  }
  const callback = params.responseCallback;
  if (callback !== undefined && callback !== null && typeof callback !== 'function') {
    throw new TypeError('params.responseCallback must be made by http.expectedStatuses(), or null');
  }
  return {
    headers: texts(params.headers, 'headers'),
    tags: texts(params.tags, 'tags'),
    timeoutMs,
    responseType: responseType as ResponseType,
    redirects: typeof params.redirects === 'number' ? params.redirects : defaults.maxRedirects,
    responseCallback: callback as ResponseCallback | undefined,
    throwOnFailure: typeof params.throw === 'boolean' ? params.throw : defaults.throwOnFailure,
  };
}

function texts(value: unknown, field: string): Record<string, string> {
  const result: Record<string, string> = {};
  if (value === undefined || value === null) return result;
  if (typeof value !== 'object') throw new TypeError(`params.${field} must be an object`);
  for (const name in value) {
    const member = (value as Record<string, unknown>)[name];
    if (typeof member === 'object' || typeof member === 'function') {
      throw new TypeError(`params.${field}.${name} must be text, a number or a boolean`);
    }
    result[name] = String(member);
  }
  return result;
}

/** Statuses as numbers or `{ min, max }`. */
export function expectedStatuses(...allowed: unknown[]): (status: number) => boolean {
  const ranges = allowed.map((entry) => {
    if (typeof entry === 'number') return { min: entry, max: entry };
    const { min, max } = (entry ?? {}) as { min?: unknown; max?: unknown };
    if (typeof min === 'number' && typeof max === 'number') return { min, max };
    throw new TypeError('expectedStatuses() takes statuses or { min, max }');
  });
  if (ranges.length === 0) throw new TypeError('expectedStatuses() needs at least one status');
  return (status) => ranges.some((range) => status >= range.min && status <= range.max);
}

/** What is sent for a body argument, and the content type that goes with it when the script sets none. */
export function encodeBody(body: unknown): { bytes: string | Buffer | null; contentType?: string } {
  if (body === undefined || body === null) return { bytes: null };
  if (typeof body === 'string') return { bytes: body };
  if (body instanceof ArrayBuffer) return { bytes: Buffer.from(body) };
  if (ArrayBuffer.isView(body)) return { bytes: Buffer.from(body.buffer, body.byteOffset, body.byteLength) };
  if (typeof body !== 'object') return { bytes: String(body) };
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(body)) {
    for (const member of Array.isArray(value) ? value : [value]) form.append(name, String(member));
  }
  return { bytes: form.toString(), contentType: 'application/x-www-form-urlencoded' };
}
