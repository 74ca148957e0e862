import { DATABASE } from '@bottleneck-lab/contracts';
import type { ConfigRule } from '../config/load-config.js';
import { choice, integer, optional, origin, text } from '../config/setting.js';

/** What a service that uses Cosmos DB reads from its environment. */
export const COSMOS_SETTINGS = {
  cosmosEndpoint: origin('COSMOS_ENDPOINT'),
  cosmosAuth: choice('COSMOS_AUTH', ['key', 'managed-identity'], 'key'),
  cosmosKey: optional(
    text('COSMOS_KEY', {
      pattern: /^[A-Za-z0-9+/]+={0,2}$/,
      allowed: "the account's key, in base64",
      secret: true,
    }),
  ),
  cosmosDatabase: text('COSMOS_DATABASE', {
    pattern: /^[^/\\?#]{1,255}$/,
    allowed: 'a database id: up to 255 characters without / \\ ? #',
    default: DATABASE,
  }),
  /** Retries of a throttled request; the SDK's default. */
  cosmosMaxRetries: integer('COSMOS_MAX_RETRIES', { min: 0, max: 100, default: 9 }),
  /** Longest wait of one request over all its retries; the SDK's default. */
  cosmosMaxRetryWaitSeconds: integer('COSMOS_MAX_RETRY_WAIT_SECONDS', { min: 0, max: 600, default: 30 }),
  cosmosRequestTimeoutMs: integer('COSMOS_REQUEST_TIMEOUT_MS', { min: 1, max: 600_000, default: 60_000 }),
  /** On: the account's list of regions is read and followed. Off: the endpoint is used as given. */
  cosmosEndpointDiscovery: choice('COSMOS_ENDPOINT_DISCOVERY', ['on', 'off'], 'off'),
} as const;

export type CosmosSettings = typeof COSMOS_SETTINGS;

export const cosmosCredentialRule = ((config: {
  cosmosAuth: string;
  cosmosKey: string | undefined;
  cosmosEndpoint: string;
}) => {
  if (config.cosmosAuth === 'key' && config.cosmosKey === undefined) {
    return [
      {
        variable: 'COSMOS_KEY',
        problem: 'is missing',
        allowed: "the account's key, or COSMOS_AUTH=managed-identity",
      },
    ];
  }
  if (config.cosmosAuth === 'managed-identity' && config.cosmosEndpoint.startsWith('http:')) {
    return [
      {
        variable: 'COSMOS_ENDPOINT',
        problem: 'is http, over which tokens are not sent',
        allowed: 'https with COSMOS_AUTH=managed-identity',
      },
    ];
  }
  return [];
}) satisfies ConfigRule<CosmosSettings>;
