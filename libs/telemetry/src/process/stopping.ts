import { subscribe } from 'node:diagnostics_channel';
import { CHANNELS, type StoppingMessage } from '@bottleneck-lab/contracts';

/** How long a process waits for its telemetry when the receiver does not answer. */
const LONGEST_MS = 5000;

export interface Ending {
  /** Delivers what there is. */
  shutdown(): Promise<void>;
  /** Called after it, or when it took too long. */
  ended(): void;
}

/** Ends telemetry once: when the process says that it is stopping, or else when it has nothing left to do. */
export function shutDownWithProcess({ shutdown, ended }: Ending): void {
  let running: Promise<void> | undefined;
  const once = () => {
    running ??= within(shutdown(), LONGEST_MS)
      .catch(() => {})
      .then(ended);
    return running;
  };
  subscribe(CHANNELS.stopping, (message) => (message as StoppingMessage).waitUntil(once()));
  process.once('beforeExit', () => void once());
}

async function within(work: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, limitMs);
  });
  await Promise.race([work, limit]);
  clearTimeout(timer);
}
