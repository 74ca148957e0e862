import { CosmosClient, type CosmosClientOptions } from '@azure/cosmos';
import type { ConfigOf } from '../config/setting.js';
import type { CosmosSettings } from './settings.js';

/** A client of the account, with `extras` merged into the SDK's options. */
export function createCosmosClient(
  config: ConfigOf<CosmosSettings>,
  extras: Partial<CosmosClientOptions> = {},
): CosmosClient {
  const discovery = config.cosmosEndpointDiscovery === 'on';
  return new CosmosClient({
    endpoint: config.cosmosEndpoint,
    ...(config.cosmosAuth === 'key' ? { key: config.cosmosKey } : { aadCredentials: lazyCredential() }),
    connectionPolicy: {
      requestTimeout: config.cosmosRequestTimeoutMs,
      enableEndpointDiscovery: discovery,
      enablePartitionLevelFailover: discovery,
      retryOptions: {
        maxRetryAttemptCount: config.cosmosMaxRetries,
        maxWaitTimeInSeconds: config.cosmosMaxRetryWaitSeconds,
      },
    },
    ...extras,
  });
}

type Credential = NonNullable<CosmosClientOptions['aadCredentials']>;

/** Workload identity, managed identity or a developer's sign-in. The library is large, hence loaded on first use. */
function lazyCredential(): Credential {
  let loaded: Promise<Credential> | undefined;
  const load = async () => {
    const { DefaultAzureCredential } = await import('@azure/identity');
    return new DefaultAzureCredential();
  };
  return {
    async getToken(scopes, options) {
      loaded ??= load();
      return (await loaded).getToken(scopes, options);
    },
  };
}
