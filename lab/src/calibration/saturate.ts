import { DATASET, ownerIdOf, ROUTES } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { seededRandom } from '../seed/random.js';
import type { MeasureTimes } from './measure-times.js';

export interface SaturateOptions {
  /** Public URL of the delivery service. */
  url: string;
  connections?: number;
  times: Pick<MeasureTimes, 'warmUpMs' | 'measureMs'>;
  seed?: number;
}

/** Keeps a service busy with closed-loop connections and returns the requests/s it answered. */
export async function saturate(options: SaturateOptions): Promise<number> {
  const { connections = 16, seed = 1, times } = options;
  const pool = new Pool(options.url, {
    connections,
    pipelining: 1,
    headersTimeout: 30_000,
    bodyTimeout: 30_000,
  });
  const random = seededRandom(seed);
  let answered = 0;
  let stopped = false;
  let failure: unknown = null;

  const loop = async () => {
    while (!stopped) {
      const ownerId = ownerIdOf(Math.floor(random() * DATASET.owners));
      const month = 1 + Math.floor(random() * DATASET.months);
      const query = `ownerId=${ownerId}&year=${DATASET.year}&month=${month}`;
      const { statusCode, body } = await pool.request({
        method: 'GET',
        path: `${ROUTES.deliveriesSummary}?${query}`,
      });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`delivery answered ${statusCode}: ${text.slice(0, 200)}`);
      answered += 1;
    }
  };
  const loops = Promise.all(Array.from({ length: connections }, loop)).catch((error: unknown) => {
    failure = error;
  });

  try {
    await Promise.race([elapsed(times.warmUpMs), loops]);
    const before = answered;
    const startedAt = performance.now();
    await Promise.race([elapsed(times.measureMs), loops]);
    const seconds = (performance.now() - startedAt) / 1000;
    const counted = answered - before;
    stopped = true;
    if (failure !== null) throw failure;
    return counted / seconds;
  } finally {
    stopped = true;
    // Ends the requests still waiting in the saturated service instead of waiting for them.
    await pool.destroy();
    await loops;
  }
}

function elapsed(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
