import type http from 'node:http';

/** The service refuses request bodies over 2 MB. */
export const BODY_BYTES_LIMIT = 2 * 1024 * 1024;
/** A body over the limit is read to its end, so that the client sees the answer; not beyond this, though. */
const DISCARD_LIMIT = 64 * 1024 * 1024;

export interface BodyOptions {
  request: http.IncomingMessage;
  limitBytes: number;
}

/** Calls back with the body as text, or with null if it was over the limit; not at all if the client went away. */
export function readBody({ request, limitBytes }: BodyOptions, done: (body: string | null) => void): void {
  let first: Buffer | undefined;
  let further: Buffer[] | undefined;
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > DISCARD_LIMIT + limitBytes) {
      request.destroy();
    } else if (bytes > limitBytes) {
      first = undefined;
      further = undefined;
    } else if (first === undefined) {
      first = chunk;
    } else {
      further ??= [first];
      further.push(chunk);
    }
  });
  request.on('end', () => {
    if (bytes > limitBytes) done(null);
    else if (first === undefined) done('');
    else done((further === undefined ? first : Buffer.concat(further, bytes)).toString('utf8'));
  });
}
