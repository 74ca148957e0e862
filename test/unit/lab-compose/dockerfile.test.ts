import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const dockerfile = read('Dockerfile');
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { link?: boolean; resolved?: string }>;
};

describe('the Dockerfile', () => {
  it('copies the manifest of every workspace before it installs', () => {
    const workspaces = Object.values(lock.packages).flatMap(({ link, resolved }) =>
      link && resolved !== undefined ? [resolved] : [],
    );
    const [before = ''] = dockerfile.split('RUN npm ci');
    const copied = [...before.matchAll(/^COPY (\S+)\/package\.json \1\/$/gm)].map(([, folder]) => folder);
    expect(copied.sort()).toEqual(workspaces.sort());
  });

  it('has one base, which can be another one, and no file that only BuildKit reads', () => {
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
    const stages = [...dockerfile.matchAll(/ AS (\S+)$/gm)].map(([, name]) => name);
    expect(new Set(bases.filter((base) => !stages.includes(base)))).toEqual(new Set(['$' + '{NODE_IMAGE}']));
    expect(dockerfile).not.toMatch(/^RUN --mount|^# syntax=|^COPY --chmod|<<EOF/m);
  });
});
