import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { CHANNELS, type StoppingMessage } from '@bottleneck-lab/contracts';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { announceStopping } from '../../../libs/service-kit/src/announce-stopping.js';

let listener: ((message: unknown) => void) | undefined;
function listen(work: Promise<unknown>) {
  listener = (message) => (message as StoppingMessage).waitUntil(work);
  subscribe(CHANNELS.stopping, listener);
}
afterEach(() => {
  if (listener) unsubscribe(CHANNELS.stopping, listener);
  vi.useRealTimers();
});

describe('announceStopping', () => {
  it('waits for the work of listeners and ignores failures', async () => {
    let done = false;
    listen(
      Promise.resolve().then(() => {
        done = true;
        throw new Error('receiver is gone');
      }),
    );
    await announceStopping();
    expect(done).toBe(true);
  });

  it('does not wait without listeners, nor for ever', async () => {
    await announceStopping();
    vi.useFakeTimers();
    listen(new Promise(() => {}));
    const waited = announceStopping(6_000);
    await vi.advanceTimersByTimeAsync(6_000);
    await waited;
  });
});
