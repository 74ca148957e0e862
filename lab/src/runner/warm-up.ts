import { DATASET, ownerIdOf, ROUTES } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { seededRandom } from '../seed/random.js';

export interface WarmUpOptions {
  gatewayUrl: string;
  durationMs?: number;
  users?: number;
  /** Pause of a user between two requests; keeps delivery below its limit. */
  pauseMs?: number;
  seed: number;
  signal: AbortSignal;
}

export interface WarmUpResult {
  requests: number;
  failed: number;
  /** The last failure in words; empty without one. */
  failure: string;
}

/**
 * Light load before the measurement: code is compiled, pools are open, caches hold what they hold in the long
 * run. Its requests are no part of any statistics.
 */
export async function warmUp(options: WarmUpOptions): Promise<WarmUpResult> {
  const { gatewayUrl, durationMs = 2_500, users = 6, pauseMs = 60, seed, signal } = options;
  const pool = new Pool(gatewayUrl, { connections: users, headersTimeout: 15_000, bodyTimeout: 15_000 });
  const random = seededRandom(seed);
  const result: WarmUpResult = { requests: 0, failed: 0, failure: '' };
  const endAt = performance.now() + durationMs;

  const user = async () => {
    while (performance.now() < endAt && !signal.aborted) {
      result.requests += 1;
      const failure = await requestInvoice(pool, random).catch((error: Error) => error.message);
      if (failure !== null) {
        result.failed += 1;
        result.failure = failure;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  };
  try {
    await Promise.all(Array.from({ length: users }, user));
  } finally {
    await pool.close();
  }
  signal.throwIfAborted();
  return result;
}

/** Null for an answer of 200, else what came instead. */
async function requestInvoice(pool: Pool, random: () => number): Promise<string | null> {
  const query = new URLSearchParams({
    ownerId: ownerIdOf(Math.floor(random() * DATASET.owners)),
    year: String(DATASET.year),
    month: String(1 + Math.floor(random() * DATASET.months)),
  });
  const { statusCode, body } = await pool.request({ method: 'GET', path: `${ROUTES.invoices}?${query}` });
  const text = await body.text();
  return statusCode === 200 ? null : `${statusCode}: ${text.slice(0, 300)}`;
}
