import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { CONSOLE_ERRORS } from '../../../lab/src/console/errors.js';

it('the page on the console lists every error that the API answers, and no other', () => {
  const page = readFileSync(new URL('../../../docs/console.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| `[A-Z_]+` /.test(line));
  expect(rows).toEqual(
    Object.entries(CONSOLE_ERRORS).map(
      ([code, { status, title }]) => `| \`${code}\` | ${status} | ${title} |`,
    ),
  );
});
