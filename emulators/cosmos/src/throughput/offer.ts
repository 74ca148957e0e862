import { CosmosError } from '../errors.js';
import { THROUGHPUT, type Throughput, type ThroughputRequest } from './throughput.js';

/** The resource through which clients read and change provisioned throughput. */
export interface Offer {
  readonly id: string;
  /** Self link of the container or database that it belongs to. */
  readonly resource: string;
  readonly resourceRid: string;
  readonly throughput: Throughput;
  etag: string;
  modifiedSeconds: number;
  storedBytes(): number;
  /** Puts the changed throughput into effect. */
  apply(): void;
}

export function offerDocument(offer: Offer): Record<string, unknown> {
  const { throughput } = offer;
  const minimum = throughput.minimumRuPerSecond(offer.storedBytes());
  const content =
    throughput.mode === 'manual'
      ? { offerThroughput: throughput.ruPerSecond }
      : {
          offerThroughput: Math.round(throughput.ruPerSecond * THROUGHPUT.autoscaleFloor),
          offerAutopilotSettings: { maxThroughput: throughput.ruPerSecond },
        };
  return {
    resource: offer.resource,
    offerType: 'Invalid',
    offerResourceId: offer.resourceRid,
    offerVersion: 'V2',
    content: {
      ...content,
      offerIsRUPerMinuteThroughputEnabled: false,
      offerMinimumThroughputParameters: {
        maxThroughputEverProvisioned: throughput.highestEverRuPerSecond,
        maxConsumedStorageEverInKB: Math.ceil(offer.storedBytes() / 1024),
      },
      offerMinimumThroughput: minimum,
    },
    id: offer.id,
    _rid: offer.id,
    _self: `offers/${offer.id}/`,
    _etag: offer.etag,
    _ts: offer.modifiedSeconds,
  };
}

/** What a replaced offer asks for. Clients send the whole document back, changed. */
export function requestOf(document: Record<string, unknown>, offer: Offer): ThroughputRequest {
  const { content } = document;
  if (typeof content !== 'object' || content === null) {
    throw new CosmosError(
      'badRequest',
      'The offer has no content: an object with offerThroughput is expected.',
    );
  }
  const { offerThroughput, offerAutopilotSettings } = content as Record<string, unknown>;
  if (offer.throughput.mode === 'manual' && offerAutopilotSettings === undefined) {
    return { mode: 'manual', ruPerSecond: Number(offerThroughput) };
  }
  const { maxThroughput } = (offerAutopilotSettings ?? {}) as { maxThroughput?: unknown };
  return { mode: 'autoscale', ruPerSecond: Number(maxThroughput) };
}
