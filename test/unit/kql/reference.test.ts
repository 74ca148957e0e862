import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { AGGREGATES } from '../../../emulators/app-insights/src/kql/aggregates/table.js';
import { FUNCTION_TOPICS } from '../../../emulators/app-insights/src/kql/functions/table.js';
import { kqlReference } from '../../../emulators/app-insights/src/kql/reference.js';
import { engine } from './fixture.js';

describe('the reference page', () => {
  test('is what the tables say; if not, run emulators/app-insights/scripts/write-kql-reference.js', () => {
    const page = readFileSync(new URL('../../../docs/reference/kql.md', import.meta.url), 'utf8');
    expect(page.replaceAll('\r\n', '\n')).toBe(kqlReference());
  });

  const functions = Object.values(FUNCTION_TOPICS).flatMap((topic) => Object.entries(topic));

  test.each([...functions, ...Object.entries(AGGREGATES)])(
    '%s: the signature begins with the name',
    (name, { signature }) => {
      expect(signature.startsWith(`${name}(`)).toBe(true);
    },
  );

  test('the language service knows every function of the tables', () => {
    const isUnknown = (name: string, call: string) =>
      engine
        .analyze(call)
        .diagnostics.some((d) => d.message.includes(`'${name}' does not refer`) || d.code === 'KS211');
    expect(functions.map(([name]) => name).filter((name) => isUnknown(name, `print ${name}()`))).toEqual([]);
    expect(
      Object.keys(AGGREGATES).filter((name) => isUnknown(name, `requests | summarize ${name}()`)),
    ).toEqual([]);
  });
});
