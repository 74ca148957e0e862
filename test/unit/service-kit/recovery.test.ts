import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backoffDelayMs, Recovery } from '../../../libs/service-kit/src/recovery.js';

const backoff = { firstMs: 100, capMs: 1_000 };

describe('backoffDelayMs', () => {
  it('doubles up to the cap', () => {
    const delays = [1, 2, 3, 4, 5, 6].map((n) => backoffDelayMs(n, backoff, () => 1));
    expect(delays).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  });

  it('is random in the upper half of the step', () => {
    const anyStep = fc.record({
      failures: fc.integer({ min: 1, max: 1e6 }),
      random: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(anyStep, ({ failures, random }) => {
        const step = Math.min(1_000, 100 * 2 ** Math.min(failures - 1, 30));
        const delay = backoffDelayMs(failures, backoff, () => random);
        return delay >= step / 2 && delay <= step;
      }),
    );
  });
});

describe('Recovery', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function watched() {
    const events: string[] = [];
    let down: string | undefined = 'down';
    const recovery = new Recovery({
      async attempt() {
        events.push('attempt');
        if (down) throw new Error(down);
      },
      onReady: () => events.push('ready'),
      onFailure: (error) => events.push((error as Error).message),
      backoff,
      random: () => 1,
    });
    return { events, recovery, set: (reason: string | undefined) => (down = reason) };
  }

  it('tries again with growing waits until it succeeds, then rests', async () => {
    const { events, recovery, set } = watched();
    recovery.start();
    await vi.advanceTimersByTimeAsync(100 + 200);
    expect(events).toEqual(['attempt', 'down', 'attempt', 'down', 'attempt', 'down']);
    set(undefined);
    await vi.advanceTimersByTimeAsync(399);
    expect(recovery.ready).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(recovery.ready).toBe(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(events.slice(6)).toEqual(['attempt', 'ready']);
  });

  it('starts over when the resource is lost, once however often that is reported', async () => {
    const { events, recovery, set } = watched();
    set(undefined);
    recovery.start();
    await vi.advanceTimersByTimeAsync(0);
    set('gone');
    recovery.lost(new Error('lost 1'));
    recovery.lost(new Error('lost 2'));
    expect(recovery.ready).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    set(undefined);
    await vi.advanceTimersByTimeAsync(200);
    expect(events).toEqual(['attempt', 'ready', 'lost 1', 'attempt', 'gone', 'attempt', 'ready']);
  });

  it('does nothing after stop', async () => {
    const { events, recovery } = watched();
    recovery.start();
    await vi.advanceTimersByTimeAsync(0);
    recovery.stop();
    await vi.advanceTimersByTimeAsync(60_000);
    recovery.lost(new Error('too late'));
    expect(events).toEqual(['attempt', 'down']);
  });
});
