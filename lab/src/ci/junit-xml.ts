import { describeCiMachine } from './baseline-file.js';
import type { CiResult } from './ci-result.js';
import type { CiCase } from './verdict.js';

/**
 * The result in the JUnit format that CI systems read: a test suite for each group of cases. What was not judged is
 * `skipped` with its reason; a load that did not run to its end is an `error`.
 */
export function junitXml(result: CiResult): string {
  const { subject, cases, elapsedSeconds, startedAt } = result;
  const groups = [...new Set(cases.map(({ group }) => group))];
  const totals = `${counts(cases)} time="${elapsedSeconds.toFixed(3)}"`;
  const suites = groups.map((group) => {
    const own = cases.filter((one) => one.group === group);
    // A load's time belongs to the suite that says whether it ran.
    const seconds = group === 'load' ? elapsedSeconds : 0;
    return [
      `  <testsuite name="${escaped(group)}" ${counts(own)} time="${seconds.toFixed(3)}" timestamp="${startedAt.replace(/\.\d+Z$/, '')}">`,
      ...(group === 'load' ? properties(result) : []),
      ...own.map((one) => testcase(subject.name, one)),
      '  </testsuite>',
    ].join('\n');
  });
  const head = `<testsuites name="${escaped(`lab ci ${subject.name}`)}" ${totals}>`;
  return ['<?xml version="1.0" encoding="UTF-8"?>', head, ...suites, '</testsuites>', ''].join('\n');
}

function counts(cases: readonly CiCase[]): string {
  const count = (...outcomes: CiCase['outcome'][]) =>
    cases.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return `tests="${cases.length}" failures="${count('failed')}" errors="${count('error')}" skipped="${count('skipped', 'undecided')}"`;
}

function properties({ engine, machine, target, against, verdict }: CiResult): string[] {
  const values = {
    verdict,
    engine: `${engine.name} ${engine.version}`.trim(),
    machine: describeCiMachine(machine),
    target: target ?? "the lab's own stack",
    ...(against === null ? {} : { against }),
  };
  const lines = Object.entries(values).map(
    ([name, value]) => `      <property name="${name}" value="${escaped(value)}"/>`,
  );
  return ['    <properties>', ...lines, '    </properties>'];
}

function testcase(subject: string, { group, name, outcome, text }: CiCase): string {
  const open = `    <testcase classname="${escaped(`${subject}.${group}`)}" name="${escaped(name)}" time="0"`;
  if (outcome === 'passed') return `${open}/>`;
  const element = { failed: 'failure', error: 'error', skipped: 'skipped', undecided: 'skipped' }[outcome];
  const [first = ''] = text.split('\n');
  const message = `message="${escaped(first)}"`;
  const content =
    element === 'skipped'
      ? `      <skipped ${message}/>`
      : `      <${element} ${message} type="${group}">${escaped(text)}</${element}>`;
  return `${open}>\n${content}\n    </testcase>`;
}

/** Characters that XML 1.0 has no way to write are left out. */
function escaped(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly these are what XML 1.0 forbids.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
      .replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)
  );
}
