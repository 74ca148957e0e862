import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { VALIDITY_CHECKS } from '../../../lab/src/diagnosis/validity.js';
import { runResult } from '../../../lab/src/results/index.js';
import { BOTTLENECKS } from '../../../lab/src/scenarios/index.js';
import { referenceTables } from './reference-tables.js';

function page(name: string): string {
  return readFileSync(new URL(`../../../docs/reference/${name}`, import.meta.url), 'utf8');
}

/** The formatter pads cells and rules; words are what counts. */
function unpadded(text: string): string {
  return text.replace(/-{3,}/g, '---').replace(/ {2,}/g, ' ').replace(/-+:/g, '--:');
}

describe.each(Object.entries(referenceTables()))('docs/reference/%s', (name, tables) => {
  it.each(tables)('has the table that the code has', (table) => {
    expect(unpadded(page(name))).toContain(unpadded(table));
  });
});

it('the page on diagnosis explains every bottleneck and every validity check', () => {
  for (const name of [...BOTTLENECKS, ...VALIDITY_CHECKS])
    expect(page('diagnosis.md')).toContain(`\`${name}\``);
});

it('the page on result.json explains every field', () => {
  for (const field of Object.keys(runResult.shape)) expect(page('result-json.md')).toContain(`\`${field}\``);
});
