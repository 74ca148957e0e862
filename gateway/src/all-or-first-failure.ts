/** The first failure, with whatever else failed before everything had ended. */
export class FirstFailure extends Error {
  override readonly name = 'FirstFailure';
  /** In the order in which they happened. */
  readonly failures: readonly unknown[];

  constructor(failures: readonly unknown[]) {
    super('A part failed', { cause: failures[0] });
    this.failures = failures;
  }
}

type Parts<T> = { [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> };

/**
 * Runs all parts at once. The first failure aborts the others, because nobody would use their answers; so does `signal`.
 * @throws {FirstFailure} once all parts have ended
 */
export function allOrFirstFailure<T extends Record<string, unknown>>(
  parts: Parts<T>,
  signal: AbortSignal,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  if (signal.aborted) end();
  else signal.addEventListener('abort', end);
  const names: (keyof T)[] = Object.keys(parts);
  const results = {} as T;
  const failures: unknown[] = [];
  return new Promise((resolve, reject) => {
    let open = names.length;
    const ended = () => {
      open -= 1;
      if (open > 0) return;
      signal.removeEventListener('abort', end);
      if (failures.length > 0) reject(new FirstFailure(failures));
      else resolve(results);
    };
    const failed = (failure: unknown) => {
      failures.push(failure);
      end();
      ended();
    };
    for (const name of names) {
      // In the order of the parts, whichever answers first.
      results[name] = undefined as T[keyof T];
      parts[name](ending.signal).then((value) => {
        results[name] = value;
        ended();
      }, failed);
    }
  });
}
