// Writes the reference page of the query language from the evaluator's tables.
// node emulators/app-insights/scripts/write-kql-reference.js   (after a build)
import { mkdirSync, writeFileSync } from 'node:fs';
import { kqlReference } from '../dist/kql/reference.js';

const page = new URL('../../../docs/reference/kql.md', import.meta.url);
mkdirSync(new URL('.', page), { recursive: true });
writeFileSync(page, kqlReference());
