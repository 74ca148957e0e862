/** An attempt that was answered 429 and may be followed by another. */
interface Throttled {
  attempt: number;
  /** Unix time, ms. */
  answeredAtMs: number;
  retryAfterMs: number;
}

export interface Wait {
  startedAtMs: number;
  retryAfterMs: number;
}

export interface Attempt {
  /** 1 for the first. */
  attempt: number;
  /** The time since the attempt before was answered; null for a first attempt. */
  wait: Wait | null;
}

const MAX_REMEMBERED = 10_000;

/**
 * Numbers the attempts of requests that are repeated after a 429. The SDK repeats a request as it was, so that operation and request
 * tell which attempts belong together. Requests that are given up are forgotten, the oldest first.
 */
export class CosmosAttempts {
  readonly #throttled = new Map<string, Throttled>();

  /** `identity`: the calling operation's span and the request. */
  begin(identity: string): Attempt {
    const before = this.#throttled.get(identity);
    if (before === undefined) return { attempt: 1, wait: null };
    this.#throttled.delete(identity);
    const { attempt, answeredAtMs, retryAfterMs } = before;
    return { attempt: attempt + 1, wait: { startedAtMs: answeredAtMs, retryAfterMs } };
  }

  throttled(identity: string, answered: Throttled): void {
    this.#throttled.set(identity, answered);
    if (this.#throttled.size > MAX_REMEMBERED) {
      this.#throttled.delete(this.#throttled.keys().next().value as string);
    }
  }
}
