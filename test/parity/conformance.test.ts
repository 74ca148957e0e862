import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConformanceCase } from './case.js';
import { CONTAINER_CASES } from './containers.js';
import { ITEM_CASES } from './items.js';
import { QUERY_CASES } from './queries.js';
import { openTarget, type Target } from './target.js';

const CASES: ConformanceCase[] = [...CONTAINER_CASES, ...ITEM_CASES, ...QUERY_CASES];
const MATRIX = new URL('../../emulators/cosmos/SUPPORT.md', import.meta.url);

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target[Symbol.asyncDispose]());

describe.each([...new Set(CASES.map(({ area }) => area))])('%s', (area) => {
  for (const { feature, run } of CASES.filter((one) => one.area === area)) test(feature, () => run(target));
});

/** The support matrix lists what the cases above show; `UPDATE_SUPPORT_MATRIX=true` writes it anew. */
test('the support matrix is up to date', async () => {
  const lines = [
    '# What the stand-in supports',
    '',
    'Generated from the conformance suite, which runs with the official client.',
    '',
  ];
  for (const area of new Set(CASES.map((one) => one.area))) {
    lines.push(`## ${area}`, '');
    for (const { feature } of CASES.filter((one) => one.area === area)) lines.push(`- ${feature}`);
    lines.push('');
  }
  const text = `${lines.join('\n').trimEnd()}\n`;
  if (process.env.UPDATE_SUPPORT_MATRIX === 'true') await writeFile(MATRIX, text);
  expect(await readFile(MATRIX, 'utf8')).toBe(text);
});
