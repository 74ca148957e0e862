import { InterruptedError } from './errors.js';

/** The first Ctrl-C or SIGTERM fires the signal; the second one calls `onSecond`, which should not wait for anything. */
export function watchInterruptions(onSecond: () => void): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) onSecond();
    else controller.abort(new InterruptedError());
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, interrupt);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of signals) process.off(signal, interrupt);
    },
  };
}
