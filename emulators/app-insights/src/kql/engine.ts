import type { Column, KqlEngine } from './types.js';

/** Builds an engine for a fixed set of tables. The schema's names are what queries see; sources are given per execution. */
export function createKqlEngine(schema: Readonly<Record<string, readonly Column[]>>): KqlEngine {
  throw new Error(`not built yet: engine over ${Object.keys(schema).join(', ')}`);
}
