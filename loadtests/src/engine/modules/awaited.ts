import { LoadError } from '../errors.js';

/** Members of a response, or of what `batch` returns, that a script may reach for when it has forgotten to wait. */
const GUARDED = [
  'status',
  'status_text',
  'body',
  'headers',
  'timings',
  'error',
  'error_code',
  'json',
  'html',
  'url',
  'length',
  '0',
];

const CALL = Symbol('call');
type Awaited<T = unknown> = Promise<T> & { [CALL]: string };

/** A promise whose use as a value is refused with a message that says what to write. */
const prototype = Object.create(Promise.prototype) as object;
for (const member of GUARDED) {
  Object.defineProperty(prototype, member, {
    get(this: Awaited) {
      throw unawaited(this[CALL]);
    },
  });
}

/**
 * k6 returns a value here, this engine a promise: a script has to await it, which k6 allows. One that forgets must
 * not go on with `undefined`, so the promise fails loudly when it is used as a response.
 */
export function awaited<T>(call: string, promise: Promise<T>): Promise<T> {
  Object.setPrototypeOf(promise, prototype);
  (promise as Awaited<T>)[CALL] = call;
  return promise;
}

export function unawaited(call: string): LoadError {
  return new LoadError(
    'LOAD_SCRIPT_UNSUPPORTED',
    `${call} must be awaited: write 'await ${call.replace('()', '(...)')}', which k6 accepts too`,
  );
}

/** The call that made this promise, when it is one of {@link awaited}. */
export function callThatMade(value: unknown): string | undefined {
  return value instanceof Promise ? ((value as Awaited)[CALL] ?? 'the promise') : undefined;
}
