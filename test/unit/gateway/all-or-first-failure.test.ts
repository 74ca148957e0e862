import { describe, expect, it } from 'vitest';
import { allOrFirstFailure, FirstFailure } from '../../../gateway/src/all-or-first-failure.js';

/** Ends when aborted, unless settled before. */
function pending<T>() {
  let resolve: (value: T) => void = () => {};
  let reject: (error: unknown) => void = () => {};
  const promise = new Promise<T>((res, rej) => {
    resolve = res;
    reject = rej;
  });
  const run = (signal: AbortSignal) => {
    if (signal.aborted) reject(new Error('aborted'));
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    return promise;
  };
  return { run, resolve, reject };
}
const never = new AbortController().signal;

describe('allOrFirstFailure', () => {
  it('starts all parts at once and returns their answers by name', async () => {
    const [a, b] = [pending<number>(), pending<string>()];
    const all = allOrFirstFailure<{ a: number; b: string }>({ a: a.run, b: b.run }, never);
    b.resolve('two');
    a.resolve(1);
    expect(await all).toEqual({ a: 1, b: 'two' });
  });

  it('aborts the others at the first failure, and tells failures in their order', async () => {
    const [a, b, c] = [pending(), pending(), pending()];
    const all = allOrFirstFailure({ a: a.run, b: b.run, c: c.run }, never);
    a.resolve(1);
    c.reject(new Error('c failed'));
    const failure = await all.catch((error) => error);
    expect(failure).toBeInstanceOf(FirstFailure);
    expect(failure.failures.map((f: Error) => f.message)).toEqual(['c failed', 'aborted']);
  });

  it('aborts all when its own signal is aborted, before or meanwhile', async () => {
    const leaving = new AbortController();
    const a = pending();
    const all = allOrFirstFailure({ a: a.run }, leaving.signal);
    leaving.abort();
    await expect(all).rejects.toThrow(FirstFailure);
    await expect(allOrFirstFailure({ a: pending().run }, leaving.signal)).rejects.toThrow(FirstFailure);
  });
});
