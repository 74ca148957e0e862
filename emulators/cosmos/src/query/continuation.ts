import { CosmosError } from '../errors.js';
import type { KeyRange } from '../partitioning/key-range.js';

/** Where the next page begins. */
export interface Continuation {
  /** The partition key range that comes next. Bounds, not an id: they stay valid when it is split. */
  range: KeyRange;
  /** Streaming queries: the item to go on from, and how many of its results were sent already. */
  sequence: number;
  skip: number;
  /** Other queries: how many results were sent already. */
  offset: number;
}

/** Clients treat it as opaque; the shape follows the service's composite tokens. */
export function formatContinuation({ range, sequence, skip, offset }: Continuation): string {
  const token = sequence === 0 && offset === 0 ? null : `${sequence}:${skip}:${offset}`;
  return JSON.stringify({ token, range: { min: range.minInclusive, max: range.maxExclusive } });
}

export function parseContinuation(text: string): Continuation {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw invalid(text);
  }
  const { token, range } = (parsed ?? {}) as { token?: unknown; range?: { min?: unknown; max?: unknown } };
  if (typeof range?.min !== 'string' || typeof range.max !== 'string') throw invalid(text);
  const position = token === null ? '0:0:0' : token;
  if (typeof position !== 'string' || !/^\d+:\d+:\d+$/.test(position)) throw invalid(text);
  const [sequence = 0, skip = 0, offset = 0] = position.split(':').map(Number);
  return { range: { minInclusive: range.min, maxExclusive: range.max }, sequence, skip, offset };
}

function invalid(text: string): CosmosError {
  return new CosmosError('badRequest', `Invalid continuation token: ${text.slice(0, 200)}`);
}
