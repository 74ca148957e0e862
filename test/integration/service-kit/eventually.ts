type Falsy = false | null | undefined | 0 | '';

/** Waits until `check` returns something truthy; fails after `timeoutMs` with what it said last. */
export async function eventually<T>(
  check: () => T | Promise<T>,
  timeoutMs = 15_000,
): Promise<Exclude<T, Falsy>> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    const result = await check();
    if (result) return result as Exclude<T, Falsy>;
    if (Date.now() > endMs)
      throw new Error(`still ${JSON.stringify(result)} after ${timeoutMs} ms: ${check}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
