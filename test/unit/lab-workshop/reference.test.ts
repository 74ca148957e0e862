import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { markdownTable } from '../../../lab/src/report/layout.js';
import { FIXES } from '../../../lab/src/scenarios/index.js';
import { WORKSHOP_ERRORS } from '../../../lab/src/workshop/errors.js';

const PAGE = readFileSync(new URL('../../../docs/reference/scenarios.md', import.meta.url), 'utf8');

/** The formatter pads cells and rules; words are what counts. */
const unpadded = (text: string) => text.replace(/-{3,}/g, '---').replace(/ {2,}/g, ' ');
const code = (text: string | null) => (text === null ? '' : `\`${text}\``);

it('the page on scenarios has the fixes that answers may name', () => {
  const rows = Object.entries(FIXES).map(([name, { text, knob, helpsAgainst }]) => [
    code(name),
    text,
    code(knob),
    helpsAgainst.map(code).join(', '),
  ]);
  expect(unpadded(PAGE)).toContain(
    unpadded(markdownTable(['fix', 'in words', 'knob', 'helps against'], rows)),
  );
});

it('the page on scenarios has the errors of the workshop', () => {
  const rows = Object.entries(WORKSHOP_ERRORS).map(([name, meaning]) => [code(name), meaning]);
  expect(unpadded(PAGE)).toContain(unpadded(markdownTable(['code', 'meaning'], rows)));
});
