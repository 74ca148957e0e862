import { createHmac } from 'node:crypto';
import { CosmosError } from '../errors.js';
import type { Route } from './routes.js';

/** The key that all of Microsoft's emulators accept; it is public and protects nothing. */
export const WELL_KNOWN_KEY =
  'C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==';

/** A token is valid for this long before and after its `x-ms-date`. */
const CLOCK_SKEW_MS = 15 * 60_000;
const CACHED_SIGNATURES = 1000;

export interface SignedRequest {
  method: string;
  route: Route;
  authorization: string | undefined;
  /** `x-ms-date`, or `date` where a client sends only that. */
  xMsDate: string | undefined;
  date: string | undefined;
}

/** Checks master-key signatures: HMAC-SHA256 over verb, resource type, resource link and date. */
export class MasterKeyAuthorization {
  readonly #key: Buffer;
  readonly #nowMs: () => number;
  /**
   * Signatures change once a second, as dates have that resolution, and a client under load sends the same one many
   * times: each is computed once.
   */
  readonly #signatures = new Map<string, { signature: string; header: string; dateMs: number }>();

  constructor(key: string, nowMs: () => number) {
    this.#key = Buffer.from(key, 'base64');
    this.#nowMs = nowMs;
  }

  /** Throws 401 or 403. */
  assertValid({ method, route, authorization, xMsDate, date }: SignedRequest): void {
    if (authorization === undefined) {
      throw new CosmosError(
        'unauthorized',
        'Required Header authorization is missing. Ensure a valid Authorization token is passed.',
      );
    }
    if (xMsDate === undefined && date === undefined) {
      throw new CosmosError(
        'unauthorized',
        'Required Header x-ms-date is missing: the token cannot be checked without it.',
      );
    }
    const payload =
      `${method.toLowerCase()}\n${route.signedType}\n${route.signedLink}\n` +
      `${(xMsDate ?? '').toLowerCase()}\n${xMsDate === undefined ? (date as string).toLowerCase() : ''}\n`;
    const expected = this.#expected(payload, (xMsDate ?? date) as string);
    if (authorization !== expected.header) assertSameSignature(authorization, expected.signature, payload);
    if (!(Math.abs(this.#nowMs() - expected.dateMs) <= CLOCK_SKEW_MS)) {
      throw new CosmosError(
        'forbidden',
        'The authorization token is not valid at the current time. Please create another token and retry ' +
          `(token date: ${xMsDate ?? date}, current server time: ${new Date(this.#nowMs()).toUTCString()}, allowed difference: 15 minutes).`,
      );
    }
  }

  #expected(payload: string, date: string) {
    const cached = this.#signatures.get(payload);
    if (cached !== undefined) return cached;
    const signature = createHmac('sha256', this.#key).update(payload, 'utf8').digest('base64');
    const header = encodeURIComponent(`type=master&ver=1.0&sig=${signature}`);
    const entry = { signature, header, dateMs: Date.parse(date) };
    if (this.#signatures.size >= CACHED_SIGNATURES) this.#signatures.clear();
    this.#signatures.set(payload, entry);
    return entry;
  }
}

function assertSameSignature(authorization: string, signature: string, payload: string): void {
  const token = new Map<string, string>();
  for (const part of decoded(authorization).split('&')) {
    const separator = part.indexOf('=');
    token.set(part.slice(0, separator), part.slice(separator + 1));
  }
  const type = token.get('type');
  if (type !== 'master') {
    throw new CosmosError(
      'unauthorized',
      `Authorization type ${JSON.stringify(type ?? '')} is not supported: the emulator accepts type=master, signed with the account key.`,
    );
  }
  // Some clients lose the plus signs of base64 in URL encoding; the service accepts them.
  if (token.get('sig')?.replaceAll(' ', '+') === signature) return;
  throw new CosmosError(
    'unauthorized',
    "The input authorization token can't serve the request. The wrong key is being used or the expected payload is not " +
      `built as per the protocol. For more info: https://aka.ms/cosmosdb-tsg-unauthorized. Server used the following payload to sign: '${payload}'`,
  );
}

function decoded(authorization: string): string {
  try {
    return decodeURIComponent(authorization);
  } catch {
    return authorization;
  }
}
