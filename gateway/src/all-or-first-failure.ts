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

/**
 * Runs all parts at once. The first failure aborts the others, because nobody would use their answers; so does `signal`.
 * @throws {FirstFailure} once all parts have ended
 */
export async function allOrFirstFailure<T extends Record<string, unknown>>(
  parts: { [K in keyof T]: (signal: AbortSignal) => Promise<T[K]> },
  signal: AbortSignal,
): Promise<T> {
  const ending = new AbortController();
  const end = () => ending.abort();
  if (signal.aborted) end();
  signal.addEventListener('abort', end, { once: true });
  const failures: unknown[] = [];
  const results = await Promise.all(
    Object.entries(parts).map(async ([name, run]) => {
      try {
        return [name, await (run as (signal: AbortSignal) => Promise<unknown>)(ending.signal)];
      } catch (failure) {
        failures.push(failure);
        end();
        return [name, undefined];
      }
    }),
  );
  signal.removeEventListener('abort', end);
  if (failures.length > 0) throw new FirstFailure(failures);
  return Object.fromEntries(results);
}
