import { CosmosError } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import type { ThroughputRequest } from '../throughput/throughput.js';

/** Throughput that a new database or container asks for; null when it asks for none of its own. */
export function throughputOf(exchange: Exchange): ThroughputRequest | null {
  const manual = exchange.header('x-ms-offer-throughput');
  const autoscale = exchange.header('x-ms-cosmos-offer-autopilot-settings');
  if (manual !== undefined && autoscale !== undefined) {
    throw new CosmosError(
      'badRequest',
      'x-ms-offer-throughput and x-ms-cosmos-offer-autopilot-settings exclude each other: throughput is manual or autoscale.',
    );
  }
  if (manual !== undefined) return { mode: 'manual', ruPerSecond: Number(manual) };
  return autoscale === undefined ? null : { mode: 'autoscale', ruPerSecond: maximumOf(autoscale) };
}

function maximumOf(header: string): number {
  try {
    return Number((JSON.parse(header) as { maxThroughput?: unknown } | null)?.maxThroughput);
  } catch (cause) {
    const message = `x-ms-cosmos-offer-autopilot-settings has to be {"maxThroughput": RU/s}, not ${header}.`;
    throw new CosmosError('badRequest', message, { cause });
  }
}
