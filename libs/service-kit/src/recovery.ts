/** Waits between attempts: doubled each time up to a cap, half of it random so that replicas do not move in step. */
export interface Backoff {
  firstMs: number;
  capMs: number;
}

/** Milliseconds to wait after `failures` failed attempts (1 or more), in [half, whole] of the capped step. */
export function backoffDelayMs(failures: number, { firstMs, capMs }: Backoff, random: () => number): number {
  const step = Math.min(capMs, firstMs * 2 ** Math.min(failures - 1, 30));
  return step / 2 + (step / 2) * random();
}

export interface RecoveryOptions {
  /** Resolves when the resource works. */
  attempt(): Promise<void>;
  onReady(): void;
  onFailure(error: unknown): void;
  backoff?: Backoff;
  random?: () => number;
}

/**
 * Brings a resource up and, each time it is reported lost, up again: attempts with backoff until one succeeds.
 * Never more than one attempt at a time.
 */
export class Recovery {
  readonly #options: Required<RecoveryOptions>;
  #state: 'idle' | 'trying' | 'ready' | 'stopped' = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;

  constructor(options: RecoveryOptions) {
    this.#options = { backoff: { firstMs: 100, capMs: 5_000 }, random: Math.random, ...options };
  }

  start(): void {
    if (this.#state === 'idle') void this.#try();
  }

  /** Reports that the resource no longer works. Ignored while attempts are under way. */
  lost(error: unknown): void {
    if (this.#state !== 'ready') return;
    this.#state = 'trying';
    this.#failures = 1;
    this.#options.onFailure(error);
    this.#schedule();
  }

  get ready(): boolean {
    return this.#state === 'ready';
  }

  stop(): void {
    this.#state = 'stopped';
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    const { backoff, random } = this.#options;
    this.#timer = setTimeout(() => void this.#try(), backoffDelayMs(this.#failures, backoff, random));
    this.#timer.unref();
  }

  async #try(): Promise<void> {
    if (this.#state === 'stopped') return;
    this.#state = 'trying';
    try {
      await this.#options.attempt();
    } catch (error) {
      if (this.#stopped()) return;
      this.#failures += 1;
      this.#options.onFailure(error);
      this.#schedule();
      return;
    }
    if (this.#stopped()) return;
    this.#state = 'ready';
    this.#failures = 0;
    this.#options.onReady();
  }

  // A method, because the compiler would otherwise remember the state from before the await.
  #stopped(): boolean {
    return this.#state === 'stopped';
  }
}
