import { subscribe } from 'node:diagnostics_channel';
import { CHANNELS, type StoppingMessage } from '@bottleneck-lab/contracts';

/** Runs `shutdown` once: when the process says that it is stopping, or else when it has nothing left to do. */
export function shutDownWithProcess(shutdown: () => Promise<void>): void {
  let running: Promise<void> | undefined;
  const once = () => {
    running ??= shutdown();
    return running;
  };
  subscribe(CHANNELS.stopping, (message) => (message as StoppingMessage).waitUntil(once()));
  process.once('beforeExit', () => void once());
}
