import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspectScript } from '@bottleneck-lab/loadtests';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHART, ROOT } from './manifests.js';

const { generate } = (await import(new URL('../../helm/generate.js', import.meta.url).href)) as {
  generate(): Promise<Map<string, string>>;
};

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8').replaceAll('\r\n', '\n');

describe('what the chart takes from elsewhere', async () => {
  const files = await generate();

  it.each([...files.keys()])('%s is up to date (npx tsc -b && node helm/generate.js)', (file) => {
    expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(read(file)).toBe(files.get(file));
  });

  it('has a load script that runs from a flat folder, as a ConfigMap is mounted', async () => {
    const folder = path.join(CHART, 'files');
    const env = { PROFILE: path.join(folder, 'article.json'), DURATION_S: '10' };
    expect(await inspectScript(path.join(folder, 'step-load.js'), env)).toMatchObject({
      maxVUs: 40,
      options: { thresholds: { checks: ['rate>0.99'] } },
    });
  });

  it('has a values file for each test of the article', () => {
    const tests = [...files.entries()]
      .filter(([file]) => file.includes('/values/'))
      .map(([, text]) => /Test (\d) of the article/.exec(text)?.[1])
      .sort();
    expect(tests).toEqual(['1', '2', '3', '4']);
  });

  it('sets only values that the chart has', () => {
    const known = parse(read('helm/bottleneck-lab/values.yaml'));
    for (const file of readdirSync(path.join(CHART, 'values'))) {
      const values = parse(readFileSync(path.join(CHART, 'values', file), 'utf8'));
      expect([file, unknownPaths(values, known)]).toEqual([file, []]);
    }
  });
});

function unknownPaths(values: unknown, known: unknown, at = ''): string[] {
  if (typeof values !== 'object' || values === null || Array.isArray(values)) return [];
  return Object.entries(values).flatMap(([key, value]) => {
    const place = at === '' ? key : `${at}.${key}`;
    const counterpart = (known as Record<string, unknown> | null)?.[key];
    return counterpart === undefined ? [place] : unknownPaths(value, counterpart, place);
  });
}
