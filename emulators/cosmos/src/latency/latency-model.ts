import { deriveSeed, normal, type Random, seededRandom } from './random.js';

/** Kinds of requests that may have a latency of their own. */
export const LATENCY_KINDS = ['query', 'pointRead', 'write', 'metadata'] as const;
export type LatencyKind = (typeof LATENCY_KINDS)[number];

/** A log-normal distribution. */
export interface LatencyDistribution {
  meanMs: number;
  /** Standard deviation divided by the mean; 0 is constant. */
  coefficientOfVariation: number;
}

export type LatencyModel = { readonly [kind in LatencyKind]?: LatencyDistribution };

/** Part of a latency that passes before a request is admitted and executed: the way to the partition. */
export const ARRIVAL_SHARE = 0.3;
/** A refused request does no work; its answer is back after this long. */
export const REFUSAL_MS = 3;

/**
 * Latencies of one physical partition. Each kind draws from its own stream, so the sequence depends on the seed
 * alone and not on how kinds are mixed.
 */
export class LatencyStream {
  readonly #streams: Record<LatencyKind, Random>;

  constructor(seed: number, name: string) {
    const stream = (kind: LatencyKind) => seededRandom(deriveSeed(seed, `${name}/${kind}`));
    this.#streams = {
      query: stream('query'),
      pointRead: stream('pointRead'),
      write: stream('write'),
      metadata: stream('metadata'),
    };
  }

  /** @returns milliseconds */
  next(kind: LatencyKind, { meanMs, coefficientOfVariation }: LatencyDistribution): number {
    if (coefficientOfVariation === 0) return meanMs;
    const variance = Math.log(1 + coefficientOfVariation * coefficientOfVariation);
    return Math.exp(Math.log(meanMs) - variance / 2 + Math.sqrt(variance) * normal(this.#streams[kind]));
  }
}
