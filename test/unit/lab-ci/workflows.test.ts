import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EXIT_CODES } from '../../../lab/src/cli/exit-codes.js';
import { buildProgram } from '../../../lab/src/cli/program.js';
import { openTerminal } from '../../../lab/src/cli/terminal.js';
import { DEFAULT_K6_IMAGE } from '../../../loadtests/src/docker/image.js';

const EXAMPLES = new URL('../../../docs/examples/', import.meta.url);
const files = [
  ...readdirSync(new URL('github-actions/', EXAMPLES)).map((name) => `github-actions/${name}`),
  'azure-pipelines.yml',
];
const page = read('../ci-gate.md');
const options = optionsOfCi();

function read(name: string): string {
  return readFileSync(new URL(name, EXAMPLES), 'utf8');
}

function optionsOfCi(): string[] {
  const output = { write: () => {} };
  const program = buildProgram(openTerminal({ stdout: output, stderr: output, env: {} }));
  const ci = program.commands.find((command) => command.name() === 'ci');
  return ci?.options.map(({ long }) => long ?? '') ?? [];
}

/** Every text in a document that calls the gate. */
function gates(value: unknown): string[] {
  if (typeof value === 'string') return value.includes('main.js ci ') ? [value] : [];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(gates) : [];
}

describe.each(files)('docs/examples/%s', (name) => {
  const text = read(name);

  it('is YAML that runs the gate with options that exist', () => {
    const found = gates(parse(text));
    expect(found.length).toBeGreaterThan(0);
    for (const gate of found) {
      const given = [...gate.matchAll(/(?<=\s)--[a-z-]+/g)].map(([flag]) => flag);
      expect(given.length).toBeGreaterThan(1);
      expect(options).toEqual(expect.arrayContaining(given));
    }
  });

  it('pins the k6 that the lab is tested with', () => {
    for (const [image] of text.matchAll(/grafana\/k6:[\w.]+/g)) expect(image).toBe(DEFAULT_K6_IMAGE);
    for (const [, version] of text.matchAll(/k6-version: (\S+)/g)) {
      expect(DEFAULT_K6_IMAGE.endsWith(`:${version}`)).toBe(true);
    }
  });

  it('is listed on the page about the gate', () => {
    expect(page).toContain(`(examples/${name})`);
  });
});

describe('docs/ci-gate.md', () => {
  it('names the pinned image, and only options that exist', () => {
    expect(page).toContain(DEFAULT_K6_IMAGE);
    const known = [...options, '--compare-engines', '--check'];
    for (const [flag] of page.matchAll(/(?<=[\s`(])--[a-z][a-z-]+/g)) expect(known).toContain(flag);
  });

  it('lists the exit codes that a gate can have', () => {
    const listed = [...page.matchAll(/^\| (\d+) \| /gm)].map(([, code]) => Number(code));
    const codes = Object.values(EXIT_CODES).map(({ code }) => code as number);
    expect(listed).toEqual([0, 1, 2, 3, 4, 5, 130]);
    expect(codes).toEqual(expect.arrayContaining(listed));
  });
});
