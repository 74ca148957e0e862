// Read as text by the dependency-arrow test, to show that the test can fail. Never run.
export type ByName = typeof import('@bottleneck-lab/cosmos-emulator');
export type ByPath = typeof import('../../../lab/src/index.js');
