import { expect, test } from 'vitest';
import { BlockingCalls } from '../../../loadtests/src/engine/blocking-calls.js';
import { Pending } from '../../../loadtests/src/engine/pending.js';

/** Longer than any chain of promise jobs in these tests. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

test('what is pending is given its result, and then there is nothing to wait for', async () => {
  const pending = new Pending();
  pending.open();
  let finish: (value: number) => void = () => {};
  const result = pending.add<number>((done) => {
    finish = done;
    return () => {};
  });
  expect(pending.size).toBe(1);
  const empty = pending.empty();
  finish(7);
  expect(await result).toBe(7);
  await empty;
  expect(pending.size).toBe(0);
});

test('closed, it cancels what is pending, and remaining code can neither go on nor start anything', async () => {
  const pending = new Pending();
  const events: string[] = [];
  pending.open();
  let finish: (value: string) => void = () => {};
  void pending
    .add<string>((done) => {
      finish = done;
      return () => events.push('cancelled');
    })
    .then(() => events.push('went on'));
  pending.close();
  finish('late');
  void pending.add(() => {
    events.push('started');
    return () => {};
  });
  pending.track(() => events.push('timer cancelled'));
  await settle();
  expect(events).toEqual(['cancelled', 'timer cancelled']);
});

test('blocking calls start when the one before has ended, also by an error', async () => {
  const calls = new BlockingCalls();
  const events: string[] = [];
  const call = (name: string, fails = false) =>
    calls.run(async () => {
      events.push(`${name} begins`);
      await settle();
      events.push(`${name} ends`);
      if (fails) throw new Error(name);
      return name;
    });
  const all = await Promise.allSettled([call('a'), call('b', true), call('c')]);
  expect(events).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
});
