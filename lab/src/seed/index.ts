export { labContainers } from './containers.js';
export { type SeedResult, seedAccount } from './seed-account.js';
export { readThroughput, setThroughput, type ThroughputControl } from './throughput.js';
