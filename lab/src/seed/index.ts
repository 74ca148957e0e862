export { type LabContainers, labContainers } from './containers.js';
export { generateDocuments } from './documents.js';
export { type SeedOptions, type SeedResult, seedAccount } from './seed-account.js';
export { readThroughput, setThroughput } from './throughput.js';
