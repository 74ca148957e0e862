import { mkdirSync, mkdtempSync, rmdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { replaceFile } from '../results/new-folder.js';
import type { CiResult } from './ci-result.js';
import { CiError } from './errors.js';
import { junitXml } from './junit-xml.js';
import { summaryMarkdown } from './summary-markdown.js';

/** Files in the folder of results. */
export const CI_FILES = { junit: 'junit.xml', summary: 'summary.md', result: 'result.json' } as const;

/**
 * Makes the folder, proves it writable before minutes of load are spent, and takes away the files of an earlier gate,
 * which a CI job would otherwise collect as this one's. Throws OUT_NOT_WRITABLE.
 */
export function openResultFolder(out: string): string {
  const folder = path.resolve(out);
  try {
    mkdirSync(folder, { recursive: true });
    rmdirSync(mkdtempSync(path.join(folder, '.probe-')));
    for (const file of Object.values(CI_FILES)) rmSync(path.join(folder, file), { force: true });
  } catch (cause) {
    throw new CiError(
      'OUT_NOT_WRITABLE',
      `results can not be written to ${folder} (${(cause as Error).message}); choose another folder with --out`,
      { cause },
    );
  }
  return folder;
}

/** Each file is whole or not there. result.json comes last: where it is, the others are. */
export async function writeResultFiles(folder: string, result: CiResult): Promise<void> {
  await replaceFile(path.join(folder, CI_FILES.junit), junitXml(result));
  await replaceFile(path.join(folder, CI_FILES.summary), summaryMarkdown(result));
  await replaceFile(path.join(folder, CI_FILES.result), `${JSON.stringify(result, null, 2)}\n`);
}
