import { describe, expect, test } from 'vitest';
import { LoadError } from '../../../loadtests/src/engine/errors.js';
import { loadScript } from '../../../loadtests/src/engine/script.js';
import { writeScript } from './script-run.js';

async function failure(source: string, files: Record<string, string> = {}): Promise<LoadError> {
  const error = await loadScript(writeScript(source, files)).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof LoadError) return error;
  throw new Error(`expected a LoadError, got ${String(error)}`);
}

describe('what is not supported fails when the script is loaded, by name and line', () => {
  test.each([
    ["import ws from 'k6/ws';", "script.js:2:16: the module 'k6/ws' is not supported"],
    ["import { browser } from 'k6/browser';", "the module 'k6/browser' is not supported"],
    ["import x from 'k6/x/sql';", "the module 'k6/x/sql' is not supported"],
    ["import { randomSeed } from 'k6';", "script.js:2:10: 'randomSeed' of 'k6' is not supported"],
    ["import * as k6 from 'k6'; k6.randomSeed(1);", "'randomSeed' of 'k6' is not supported"],
    ["import { file } from 'k6/http';", "'file' of 'k6/http' is not supported"],
    [
      "import http from 'k6/http';\nexport function a() {\n  return http.cookieJar();\n}",
      "script.js:4:10: 'cookieJar' of 'k6/http' is not supported",
    ],
    [
      "import exec from 'k6/execution';\nexec.segment;",
      "script.js:3:1: 'segment' of 'k6/execution' is not supported",
    ],
    ["import _ from 'lodash';", "the package 'lodash' is not supported"],
    ["import fs from 'node:fs';", "the package 'node:fs' is not supported"],
    [
      "import a from 'https://jslib.k6.io/k6-utils/1.4.0/index.js';",
      "the remote import 'https://jslib.k6.io/k6-utils/1.4.0/index.js' is not supported",
    ],
    [
      "import a from './lib';",
      "importing 'lib' is not supported; a local import names a script with its extension",
    ],
    ["import a from './data.json';", "importing 'data.json' is not supported; a local import"],
    [
      "import { sleep } from 'k6';\nexport default function () {\n  sleep(1);\n}",
      "script.js:4:3: sleep() must be awaited: write 'await sleep(...)'",
    ],
    [
      "import http from 'k6/http';\nexport default function () {\n  if (__ITER > 1)\n    http.post('http://x/', '');\n}",
      "script.js:5:5: post() must be awaited: write 'await http.post(...)'",
    ],
    [
      "import { batch } from 'k6/http';\nexport default function () {\n  batch([]);\n}",
      'batch() must be awaited',
    ],
  ])('%s', async (source, message) => {
    const error = await failure(
      source.includes('export default') ? `\n${source}` : `\n${source}\nexport default function () {}`,
    );
    expect(error.message).toContain(message);
    expect(error.code).toBe('LOAD_SCRIPT_UNSUPPORTED');
    expect(error.exitCode).toBe(107);
  });

  test('also in a local import, which is then the file that is named', async () => {
    const error = await failure("import './lib.ts';", {
      'lib.ts': "export const x: number = 1;\nimport 'k6/crypto';",
    });
    expect(error.message).toMatch(/lib\.ts:2:8: the module 'k6\/crypto' is not supported/);
  });
});

test.each([
  ['await Promise.all([\n  http.get("a"),\n  http.get("b")\n]);'],
  ['return sleep(1);'],
  ['const both = [\n  sleep(1),\n  sleep(2),\n];\n await Promise.all(both);'],
  ['const text = `\nsleep(1);\n`;'],
  ['const p = http.asyncRequest("GET", "a"); await p;'],
])('calls whose promise is used are left alone: %s', async (body) => {
  const source = `import http from 'k6/http';\nimport { sleep } from 'k6';\nexport default async function () {\n${body}\n}`;
  await expect(loadScript(writeScript(source))).resolves.toBeDefined();
});

test('a syntax error names the line', async () => {
  const error = await failure('export default function () {\n  let = ;\n}');
  expect(error.message).toMatch(/script\.js:2:\d+: /);
  expect(error.exitCode).toBe(107);
});

test('a script that does not exist', async () => {
  await expect(loadScript('/nowhere/script.js')).rejects.toMatchObject({
    exitCode: 255,
    code: 'LOAD_SCRIPT_NOT_FOUND',
  });
});
