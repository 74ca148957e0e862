/** Operation names as Application Insights shows them in `operation_Name` and in a request's `name`. */
export const OPERATIONS = {
  getInvoice: 'GET /api/invoices',
  getDeliveriesSummary: 'GET Deliveries/GetSummary',
  getPackagesSummary: 'GET /api/packages/summary',
  getDroneUtilization: 'GET DroneDeliveries/GetDroneUtilization',
} as const;

export type OperationName = (typeof OPERATIONS)[keyof typeof OPERATIONS];

/** Dependency types. Only document queries carry the plain type, so that a count of it is a count of partition queries. */
export const DEPENDENCY_TYPES = {
  documentQuery: 'Azure DocumentDB',
  metadata: 'Azure DocumentDB (metadata)',
  pointRead: 'Azure DocumentDB (point read)',
  write: 'Azure DocumentDB (write)',
  http: 'Http',
} as const;

export type DependencyType = (typeof DEPENDENCY_TYPES)[keyof typeof DEPENDENCY_TYPES];

/** Custom property names on Cosmos DB dependencies. */
export const COSMOS_PROPERTIES = {
  requestCharge: 'CosmosDb.RequestCharge',
  partitionKey: 'CosmosDb.PartitionKey',
  partitionKeyRangeId: 'CosmosDb.PartitionKeyRangeId',
  documentCount: 'CosmosDb.DocumentCount',
  maxParallelism: 'CosmosDb.MaxParallelism',
  substatus: 'CosmosDb.SubStatus',
  attempt: 'CosmosDb.Attempt',
  retryAfterMs: 'CosmosDb.RetryAfterMs',
} as const;

/** Name of the in-process dependency that covers the time between an attempt that was answered 429 and the next one. */
export const COSMOS_RETRY_WAIT = 'Cosmos DB retry wait';

/** W3C baggage members that a load script sends and that telemetry copies to spans. */
export const BAGGAGE = { run: 'lab.run', scenario: 'lab.scenario', step: 'lab.step' } as const;
