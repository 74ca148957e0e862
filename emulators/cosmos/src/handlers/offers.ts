import { CosmosError, resourceNotFound } from '../errors.js';
import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { type Offer, offerDocument, requestOf } from '../throughput/offer.js';
import { CHARGES } from '../throughput/request-charge.js';
import { metadata } from './databases.js';
import { feedReply } from './feed.js';
import type { RequestContext } from './request-context.js';

export function listOffers(exchange: Exchange, context: RequestContext): Operation {
  return metadata(() => {
    const documents = [...context.account.offers.values()].map(offerDocument);
    return feedReply(exchange, context, { rid: '', name: 'Offers', documents });
  });
}

export function readOffer(exchange: Exchange, context: RequestContext): Operation {
  return metadata(() => offerReply(offerOf(exchange, context), CHARGES.metadataRead));
}

/** Changes provisioned throughput; partitions are split at once, so no replace is ever pending. */
export function replaceOffer(exchange: Exchange, context: RequestContext): Operation {
  return metadata(() => {
    const offer = offerOf(exchange, context);
    const request = requestOf(exchange.jsonObject(), offer);
    if (request.mode !== offer.throughput.mode) {
      throw new CosmosError(
        'badRequest',
        `The offer is ${offer.throughput.mode}; it cannot be changed to ${request.mode} by a replace.`,
      );
    }
    offer.throughput.replace(request, offer.storedBytes());
    offer.etag = context.account.nextEtag();
    offer.modifiedSeconds = context.account.nowSeconds();
    offer.apply();
    return offerReply(offer, CHARGES.metadataWrite);
  });
}

function offerOf({ route }: Exchange, { account }: RequestContext): Offer {
  const offer = account.offers.get(route.id.toLowerCase());
  if (offer === undefined) throw resourceNotFound(`Offer '${route.id}'`);
  return offer;
}

function offerReply(offer: Offer, requestCharge: number): Reply {
  const headers = [
    'etag',
    offer.etag,
    'x-ms-offer-replace-pending',
    'false',
    'x-ms-cosmos-min-throughput',
    String(offer.throughput.minimumRuPerSecond(offer.storedBytes())),
  ];
  return jsonReply(offerDocument(offer), { headers, requestCharge });
}
