import type { Clock } from '../clock.js';
import type { Pending } from '../pending.js';

export interface TimersHost {
  readonly clock: Clock;
  readonly pending: Pending;
  /** A callback has thrown. */
  failed(thrown: unknown): void;
}

/** `k6/timers`, also global. An iteration lasts until all its timers have fired or were cleared. */
export function timersModule(host: TimersHost): {
  setTimeout: (callback: unknown, delayMs?: unknown, ...args: unknown[]) => number;
  clearTimeout: (id: unknown) => void;
  setInterval: (callback: unknown, delayMs?: unknown, ...args: unknown[]) => number;
  clearInterval: (id: unknown) => void;
} {
  let lastId = 0;
  const running = new Map<unknown, () => void>();

  const start = (callback: unknown, delayMs: unknown, args: unknown[], repeats: boolean): number => {
    if (typeof callback !== 'function') throw new TypeError('a timer needs a function');
    const everyMs = Math.max(0, Number(delayMs ?? 0) || 0);
    lastId += 1;
    const id = lastId;
    let timer = host.clock.after(everyMs, () => fire());
    const stop = () => {
      timer.cancel();
      running.delete(id);
    };
    const fire = () => {
      try {
        callback(...args);
      } catch (thrown) {
        host.failed(thrown);
      }
      if (!running.has(id)) return;
      if (repeats) timer = host.clock.after(everyMs, () => fire());
      else clear(id);
    };
    const entry = host.pending.track(stop);
    running.set(id, () => {
      stop();
      entry.end();
    });
    return id;
  };
  const clear = (id: unknown) => running.get(id)?.();
  return {
    setTimeout: (callback, delayMs, ...args) => start(callback, delayMs, args, false),
    clearTimeout: clear,
    setInterval: (callback, delayMs, ...args) => start(callback, delayMs, args, true),
    clearInterval: clear,
  };
}
