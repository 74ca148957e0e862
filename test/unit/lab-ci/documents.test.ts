import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type CiResult, ciResult } from '../../../lab/src/ci/ci-result.js';
import { splitCommand } from '../../../lab/src/ci/command-line.js';
import { judgeRun } from '../../../lab/src/ci/judge-run.js';
import { junitXml } from '../../../lab/src/ci/junit-xml.js';
import { openResultFolder, writeResultFiles } from '../../../lab/src/ci/result-files.js';
import { summaryMarkdown } from '../../../lab/src/ci/summary-markdown.js';
import { type CiCase, VERDICTS, verdictOf } from '../../../lab/src/ci/verdict.js';
import { MACHINE, measuredLoad } from './measured-load.js';
import { readXml } from './xml-reader.js';

const NASTY = `a <b> & "c" 'd' ]]> \u0000\u001b[31m|\tpipe\nline \ud83d\ude00 \ud800 \uffff`;

const CASES: CiCase[] = [
  { group: 'load', name: 'load', outcome: 'passed', text: 'ran' },
  { group: 'check', name: NASTY, outcome: 'failed', text: NASTY },
  { group: 'baseline', name: 'p50', outcome: 'skipped', text: 'another machine' },
  { group: 'baseline', name: 'p95', outcome: 'undecided', text: 'busy' },
  {
    group: 'baseline',
    name: 'ru.perIteration',
    outcome: 'failed',
    text: 'ru.perIteration rose',
    figures: { reference: 3, value: 3.8, unit: 'RU', changePercent: 26.7, allowed: '±0.12 RU' },
  },
];

function result(cases = CASES, changes: Partial<CiResult> = {}): CiResult {
  return ciResult({
    id: 'x',
    startedAt: '2026-11-30T10:00:00.123Z',
    elapsedSeconds: 12.3456,
    subject: { kind: 'script', name: 'checkout.js' },
    target: NASTY,
    against: null,
    engine: { name: 'builtin', version: '0.1.0' },
    machine: MACHINE,
    baseline: null,
    run: null,
    cases,
    measures: {},
    changes: [],
    rounds: null,
    notes: [],
    ...changes,
  });
}

describe('junit.xml', () => {
  it('is well-formed whatever names and texts hold, and loses nothing that XML can say', () => {
    const root = readXml(junitXml(result()));
    expect(root.name).toBe('testsuites');
    expect(root.attributes).toMatchObject({
      tests: '5',
      failures: '2',
      errors: '0',
      skipped: '2',
      time: '12.346',
    });
    expect(root.children.map(({ name, attributes }) => [name, attributes.name])).toEqual([
      ['testsuite', 'load'],
      ['testsuite', 'check'],
      ['testsuite', 'baseline'],
    ]);
    const [failed] = root.children[1]?.children ?? [];
    const shown = `a <b> & "c" 'd' ]]> [31m|\tpipe\nline \ud83d\ude00  `;
    expect(failed?.attributes).toMatchObject({ classname: 'checkout.js.check', name: shown });
    expect(failed?.children[0]).toMatchObject({ name: 'failure', text: shown });
  });

  it('counts in each suite what it holds, and dates it', () => {
    for (const suite of readXml(junitXml(result())).children) {
      const cases = suite.children.filter(({ name }) => name === 'testcase');
      const count = (kind: string) => cases.filter(({ children }) => children[0]?.name === kind).length;
      expect(suite.attributes).toMatchObject({
        tests: String(cases.length),
        failures: String(count('failure')),
        errors: String(count('error')),
        skipped: String(count('skipped')),
        timestamp: '2026-11-30T10:00:00',
      });
    }
  });

  it('tells a load that broke off as an error', () => {
    const [load] = judgeRun(measuredLoad({ status: 'broken', reason: 'exit code 107: no' }));
    const root = readXml(junitXml(result([load as CiCase])));
    expect(root.attributes.errors).toBe('1');
    expect(root.children[0]?.children.at(-1)?.children[0]).toMatchObject({
      name: 'error',
      attributes: { message: 'exit code 107: no' },
    });
  });
});

it('the page about the gate explains every field and verdict of result.json', () => {
  const page = readFileSync(new URL('../../../docs/ci-gate.md', import.meta.url), 'utf8');
  for (const field of [...Object.keys(result()), ...VERDICTS]) expect(page).toContain(`\`${field}\``);
});

describe('summary.md', () => {
  it('says first what failed, and keeps every row of its table in one line', () => {
    const text = summaryMarkdown(result());
    expect(text.split('\n')[0]).toBe('## checkout.js: failed');
    expect(text).toContain('- **baseline: ru.perIteration rose**');
    expect(text).toContain('| ru.perIteration | 3 RU | 3.8 RU | +26.7 % | ±0.12 RU | failed |');
    expect(text).toContain('a &lt;b> & "c"');
    expect(text).not.toContain('<b>');
  });

  it('shows intervals of two systems', () => {
    const change = { measure: 'requests.p50Ms', pairs: 7, changePercent: 12, lowPercent: 8, highPercent: 16 };
    const text = summaryMarkdown(result([], { changes: [change], rounds: 8, against: 'http://b' }));
    expect(text).toContain('| requests.p50Ms | +12 % | +8 to +16 % | 7 of 8 |');
  });
});

describe('the folder of results', () => {
  function folder(): string {
    const made = mkdtempSync(path.join(os.tmpdir(), 'ci-out-'));
    onTestFinished(() => rmSync(made, { recursive: true, force: true }));
    return made;
  }

  it('loses the results of an earlier gate before anything is measured, and nothing else', () => {
    const out = folder();
    for (const name of ['junit.xml', 'result.json', 'other.txt']) writeFileSync(path.join(out, name), 'old');
    openResultFolder(out);
    expect(readdirSync(out)).toEqual(['other.txt']);
  });

  it('has three whole files at the end, and none beside them', async () => {
    const out = folder();
    await writeResultFiles(openResultFolder(path.join(out, 'new', 'deep')), result());
    expect(readdirSync(path.join(out, 'new', 'deep')).sort()).toEqual([
      'junit.xml',
      'result.json',
      'summary.md',
    ]);
  });

  it('is refused by its name where it can not be made', () => {
    const out = folder();
    writeFileSync(path.join(out, 'file'), '');
    expect(() => openResultFolder(path.join(out, 'file', 'below'))).toThrow(/--out/);
  });
});

describe('a load by itself', () => {
  const threshold = (metric: string, ok: boolean, ofTime: boolean) => ({
    metric,
    threshold: 'x<1',
    ok,
    ofTime,
  });

  it('passes with all its thresholds and checks', () => {
    expect(verdictOf(judgeRun(measuredLoad({ thresholds: [threshold('checks', true, false)] })))).toBe(
      'passed',
    );
  });

  it('fails for a crossed threshold, and for a check that nothing allows to fail', () => {
    const checks = [{ name: 'status is 200', passes: 9, fails: 1 }];
    expect(verdictOf(judgeRun(measuredLoad({ thresholds: [threshold('ru', false, false)] })))).toBe('failed');
    expect(verdictOf(judgeRun(measuredLoad({ checks })))).toBe('failed');
    const limited = measuredLoad({ checks, thresholds: [threshold('checks', true, false)] });
    expect(verdictOf(judgeRun(limited))).toBe('passed');
  });

  it('fails when nothing was asked, or nothing answered', () => {
    const nothing = judgeRun(measuredLoad({ counts: { requests: 0, failed: 0 } }));
    expect(nothing[0]).toMatchObject({ outcome: 'failed', text: 'the load made no request' });
    const dead = judgeRun(measuredLoad({ counts: { failed: 1_000 } }));
    expect(dead[0]).toMatchObject({ outcome: 'failed', text: 'all 1000 requests failed' });
  });

  it('leaves thresholds of times undecided on a busy machine, and still fails for the others', () => {
    const slow = threshold('http_req_duration', false, true);
    const wrong = threshold('http_req_failed', false, false);
    expect(verdictOf(judgeRun(measuredLoad({ thresholds: [slow], tooBusy: 'no CPU' })))).toBe('undecided');
    expect(verdictOf(judgeRun(measuredLoad({ thresholds: [slow, wrong], tooBusy: 'no CPU' })))).toBe(
      'failed',
    );
  });
});

describe('a command', () => {
  it.each([
    ['node dist/server.js', ['node', 'dist/server.js']],
    [`"C:\\Program Files\\node.exe"  'a b' c\\d`, ['C:\\Program Files\\node.exe', 'a b', 'c\\d']],
    ['run --name="a b" ""', ['run', '--name=a b', '']],
  ])('%s is split without a shell', (command, words) => {
    expect(splitCommand(command)).toEqual(words);
  });

  it.each(['', '  ', '""', 'node "open'])('%j is refused', (command) => {
    expect(() => splitCommand(command)).toThrow(expect.objectContaining({ code: 'COMMAND_INVALID' }));
  });
});
