import type { Exchange } from '../http/exchange.js';
import type { Operation } from '../http/operation.js';
import { ItemJournal } from '../store/item-journal.js';
import type { ItemPlace } from '../store/item-writes.js';
import { admit, charge } from '../throughput/admission.js';
import { roundCharge } from '../throughput/request-charge.js';
import {
  type BatchOperation,
  type BatchResult,
  batchReply,
  operationsOf,
  runOperation,
} from './batch-operations.js';
import { containerOf, type RequestContext, requiredKey } from './request-context.js';

/** A transactional batch within one logical partition: everything or nothing. */
export function runBatch(exchange: Exchange, context: RequestContext): Operation {
  const container = containerOf(context, exchange);
  const operations = operationsOf(exchange);
  const key = requiredKey(exchange, container);
  return {
    kind: 'batch',
    container,
    partition: container.layout.owning(key.effective),
    latency: 'write',
    execute: () => {
      const partition = container.layout.owning(key.effective);
      const place: ItemPlace = { container, partition, key, nowMs: context.clock.now() };
      admit(container, partition, place.nowMs);
      const results = allOrNothing(place, operations, context);
      const requestUnits = roundCharge(results.reduce((sum, { requestCharge }) => sum + requestCharge, 0));
      charge(container, partition, { nowMs: place.nowMs, requestUnits });
      return batchReply({ exchange, operations, container, partition, results, requestUnits });
    },
  };
}

/** On the first failure everything before it is undone, and everything else is answered 424. */
function allOrNothing(
  place: ItemPlace,
  operations: readonly BatchOperation[],
  context: RequestContext,
): BatchResult[] {
  const journal = new ItemJournal(place);
  const results: BatchResult[] = [];
  for (const [index, operation] of operations.entries()) {
    journal.remember(operation.id ?? operation.resourceBody?.id);
    const result = runOperation(place, operation, context);
    results.push(result);
    if (result.statusCode < 400) continue;
    journal.undo();
    return operations.map((_, other) => (other === index ? result : { statusCode: 424, requestCharge: 0 }));
  }
  return results;
}
