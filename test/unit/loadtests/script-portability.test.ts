import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const SCRIPTS = fileURLToPath(new URL('../../../loadtests/scripts/', import.meta.url));
const sources = readdirSync(SCRIPTS).filter((name) => name.endsWith('.ts'));

/** Syntax that k6's JavaScript engine leaves out of its conformance tests: a script must do without it. */
const MISSING_IN_K6: readonly (readonly [name: string, syntax: RegExp])[] = [
  ['logical assignment', /(\?\?|\|\||&&)=/],
  ['numeric separators', /\b\d+_\d/],
  ['named groups and lookbehind', /\(\?</],
  ['Unicode property escapes', /\\[pP]\{/],
  ['BigInt', /\b\d+n\b/],
  ['async iteration', /\bfor await\b/],
  ['enums, which are more than types', /\benum\b/],
];

test.each(sources.map((name) => [name]))('%s uses only what k6 understands', (name) => {
  const code = readFileSync(`${SCRIPTS}${name}`, 'utf8').replaceAll(/^\s*\/\/.*$/gm, '');
  for (const [feature, syntax] of MISSING_IN_K6) expect(syntax.exec(code)?.[0], feature).toBeUndefined();
  const imports = [...code.matchAll(/from '([^']+)'/g)].map((match) => match[1] as string);
  for (const path of imports)
    expect(path).toMatch(/^(k6(\/(execution|http|metrics|options))?|\.\/[\w-]+\.ts)$/);
});

test('imports of types alone say so, since k6 drops nothing else', () => {
  for (const name of sources) {
    const code = readFileSync(`${SCRIPTS}${name}`, 'utf8');
    for (const match of code.matchAll(/^import (.*) from 'k6\/options'/gm))
      expect(match[1]).toMatch(/^type /);
  }
});
