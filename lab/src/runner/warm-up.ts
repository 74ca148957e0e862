import { DATASET, ownerIdOf, ROUTES } from '@bottleneck-lab/contracts';
import { Pool } from 'undici';
import { seededRandom } from '../seed/random.js';
import { StackError } from '../stack/errors.js';

export interface WarmUpOptions {
  gatewayUrl: string;
  /** As long as the system can follow. */
  requestsPerSecond: number;
  durationMs: number;
  users?: number;
  seed: number;
  signal: AbortSignal;
}

export interface WarmUpResult {
  requests: number;
  failed: number;
  /** Of the failed ones, those that got no answer at all. */
  unanswered: number;
  /** The last failure in words; empty without one. */
  failure: string;
}

/**
 * Load before the measurement: code is compiled, pools are open, caches hold what they hold in the long run. At the rate
 * at which delivery is to saturate, it also shows what a request costs there. Its requests are no part of any statistics.
 */
export async function warmUp(options: WarmUpOptions): Promise<WarmUpResult> {
  const { gatewayUrl, requestsPerSecond, durationMs, users = 30, seed, signal } = options;
  const pool = new Pool(gatewayUrl, { connections: users, headersTimeout: 15_000, bodyTimeout: 15_000 });
  const random = seededRandom(seed);
  const result: WarmUpResult = { requests: 0, failed: 0, unanswered: 0, failure: '' };
  const startAt = performance.now();
  const intervalMs = (1_000 * users) / requestsPerSecond;

  /** Each user has its own turn in every interval; one that is late goes on at once and makes up for nothing. */
  const user = async (index: number) => {
    let nextAt = startAt + (intervalMs * index) / users;
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, nextAt - performance.now()));
      if (performance.now() >= startAt + durationMs || signal.aborted) return;
      result.requests += 1;
      const failure = await requestInvoice(pool, random).catch((error: Error) => {
        result.unanswered += 1;
        return error.message;
      });
      if (failure !== null) {
        result.failed += 1;
        result.failure = failure;
      }
      nextAt = Math.max(nextAt + intervalMs, performance.now());
    }
  };
  try {
    await Promise.all(Array.from({ length: users }, (_, index) => user(index)));
  } finally {
    await pool.close();
  }
  signal.throwIfAborted();
  if (result.unanswered === result.requests) {
    throw new StackError('TARGET_UNREACHABLE', `nobody answers at ${gatewayUrl}: ${result.failure}`);
  }
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
