export { CosmosContainer } from './cosmos-container.js';
export { createCosmosClient } from './create-client.js';
export { COSMOS_SETTINGS, type CosmosSettings, cosmosCredentialRule } from './settings.js';
