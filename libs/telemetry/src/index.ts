export { type DeliveryCounts, deliveryCounts } from './delivery/delivery-counts.js';
export { flushTelemetry } from './sdk/running-sdk.js';
