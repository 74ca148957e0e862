import { channel } from 'node:diagnostics_channel';
import { CHANNELS, type StoppingMessage } from '@bottleneck-lab/contracts';

/** Long enough for telemetry to be delivered, short enough for a receiver that is gone. */
const LONGEST_WAIT_MS = 6_000;

/** Tells listeners in this process that it is about to exit, and waits for the work they still have. */
export async function announceStopping(longestWaitMs = LONGEST_WAIT_MS): Promise<void> {
  const work: Promise<unknown>[] = [];
  const message: StoppingMessage = { waitUntil: (more) => void work.push(more) };
  channel(CHANNELS.stopping).publish(message);
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, longestWaitMs);
  });
  await Promise.race([Promise.allSettled(work), limit]);
  clearTimeout(timer);
}
