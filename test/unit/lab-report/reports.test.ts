import { describe, expect, it } from 'vitest';
import {
  formatComparison,
  formatProgression,
  formatRun,
  progressionMarkdown,
  runMarkdown,
} from '../../../lab/src/report/index.js';
import { markdownTable, wrap } from '../../../lab/src/report/layout.js';
import { buildResult, compareRuns, type RunResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const results = ['throttled', 'serial', 'parallel', 'partition-key'].map((scenario) =>
  buildResult(cachedRecording({ scenario, seed: 1 })),
);
const [throttled, serial] = results as [RunResult, RunResult];
const ESCAPE = '\u001b';

describe('a progression on a terminal', () => {
  const text = formatProgression(results, { color: false, width: 110 });

  it('shows measured and published side by side for every run', () => {
    const line = (title: string) => text.split('\n').find((one) => one.startsWith(title)) ?? '';
    expect(line('requests/s')).toMatch(/\(19\.1\).*\(23\.3\).*\(42\).*\(59\.5\)$/);
    expect(line('GetDroneUtilization mean')).toMatch(/\(669\).*\(569\).*\(215\).*\(176\)$/);
    expect(line('429')).toMatch(/\d \(14\) +0 \(0\)/);
    expect(line('partition queries')).toMatch(/9 \(9\) +9 \(9\) +9 \(9\) +1 \(1\)/);
  });

  it('names the bottleneck of each, with evidence and the next experiment', () => {
    expect(text).toMatch(/throttled: Cosmos DB throttles\n {4}- 2\.\d % of the requests/);
    expect(text).toContain('serial: Serial fan-out');
    expect(text).toContain('parallel: Cost of cross-partition queries');
    expect(text).toContain('partition-key: CPU of delivery');
    expect(text.match(/ {4}next: /g)).toHaveLength(4);
  });

  it('says why fewer queries are throttled than in the article', () => {
    expect(text.replaceAll('\n', ' ')).toContain('The published share of 429 is 14 %');
    expect(formatProgression([serial], { color: false, width: 110 })).not.toContain('14 %');
  });

  it.each([60, 80, 100, 140])('fits into %i columns', (width) => {
    for (const line of formatProgression(results, { color: false, width }).split('\n')) {
      expect(line.length).toBeLessThanOrEqual(width);
    }
  });

  it('says the same with and without colours', () => {
    expect(text).not.toContain(ESCAPE);
    const colored = formatProgression(results, { color: true, width: 110 });
    expect(colored).toContain(ESCAPE);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are control characters
    expect(colored.replace(/\u001b\[\d+m/g, '')).toBe(text);
  });

  it('marks a figure that missed its range, also without colours', () => {
    const missed = {
      ...throttled,
      expected: throttled.expected && {
        ...throttled.expected,
        measures: throttled.expected.measures.map((one) =>
          one.measure === 'throughput.mean' ? { ...one, ok: false } : one,
        ),
      },
    };
    expect(formatProgression([missed], { color: false, width: 110 })).toMatch(
      /requests\/s +2[01](\.\d)? \(19\.1\) !/,
    );
  });
});

describe('one run on a terminal', () => {
  it('shows ranges and whether they were met', () => {
    const text = formatRun(throttled, { color: false, width: 110 });
    expect(text).toMatch(/requests\/s +2[01](\.\d)? +19\.1 +17\.4 to 23\.6 +ok/);
    expect(text).toMatch(/throughput\.fallPercent, % +\d+(\.\d)? +at least 8 +ok/);
    expect(text).toContain('bottleneck: Cosmos DB throttles');
    expect(text).toContain('also: Serial fan-out');
  });

  it('that is not valid begins with that', () => {
    const recording = cachedRecording({ scenario: 'serial', seed: 1 });
    const busy = buildResult({
      ...recording,
      machineSamples: recording.machineSamples.map((sample) => ({ ...sample, busyCores: 2 })),
    });
    const text = formatRun(busy, { color: false, width: 110 });
    expect(text).toMatch(
      /! This run is not valid and says nothing about the system: all cores were busy in 100 %/,
    );
    expect(text).toContain('bottleneck: The machine was too busy');
    expect(text).not.toContain(' ok');
  });
});

describe('report.md', () => {
  const report = runMarkdown(throttled);

  it('has a section for everything that a reader asks', () => {
    for (const title of [
      '# The database says no',
      '## Bottleneck: Cosmos DB throttles',
      '### Also: Serial fan-out',
      '## Measured and published',
      '## Expected ranges',
      '## Steps',
      '## Physical partitions',
      '## All measures',
      '## Validity',
      '## Set-up',
    ]) {
      expect(report).toContain(`${title}\n`);
    }
    expect(report).toContain('| seed | 1 |');
    expect(report).toContain('| throughput saved for later | 1.25 s |');
  });

  it('has a remark on each figure that differs from the published one', () => {
    const start = report.indexOf('## Measured and published');
    const section = report.slice(start, report.indexOf('## Expected', start));
    const rows = section.split('\n').filter((line) => line.startsWith('| `'));
    expect(rows.length).toBeGreaterThan(10);
    for (const row of rows) {
      const [, , , , difference, remark] = row
        .split(' | ')
        .join('|')
        .split('|')
        .map((cell) => cell.trim());
      const percent = Math.abs(Number.parseFloat(difference ?? ''));
      if (percent <= 14) expect(remark).toBe('agrees');
      if (percent > 16) expect(remark?.length).toBeGreaterThan(20);
    }
  });

  it('leaves counts out beside a test of another length, and shows them beside one of the same', () => {
    expect(report).not.toContain('16,071');
    const full = buildResult(cachedRecording({ scenario: 'throttled', plannedSeconds: 480 }));
    expect(runMarkdown(full)).toContain('16,071');
  });

  it('never gives away the answer of the workshop', () => {
    const answers = results.map(
      (one) => (one.scenario as { teaching?: { answer: string } }).teaching?.answer,
    );
    for (const answer of answers) {
      expect(answer).toBeDefined();
      expect(report).not.toContain(answer?.slice(0, 60));
    }
  });

  it('of a progression links to its runs and explains differences', () => {
    const text = progressionMarkdown(results);
    for (const { id } of results) expect(text).toContain(`(${id}/report.md)`);
    expect(text).toContain('## Where the figures differ, and why');
    expect(text).toContain('**Cosmos DB throttles** | **Serial fan-out**');
  });
});

it('a comparison lists what changed beyond noise, and counts the rest', () => {
  const text = formatComparison(compareRuns(throttled, serial), { color: false, width: 110 });
  expect(text).toContain('turned: ruPerSecond 900 -> 2500');
  expect(text).toMatch(/cosmos\.throttledPercent, % +2\.\d+ +0 +-100 % +±[\d.]+ +better/);
  expect(text).toMatch(/\d+ of \d+ measures differ by no more than noise$/);
  expect(text).not.toContain('cosmos.ruPerQuery');
});

it('words are wrapped under their lead, and never broken', () => {
  expect(wrap({ lead: '- ', text: 'one two three four five six', width: 22 })).toEqual([
    '- one two three four',
    '  five six',
  ]);
  const long = 'x'.repeat(50);
  expect(wrap({ lead: '', text: `a ${long}`, width: 20 })).toEqual(['a', long]);
});

it('a table survives what would break it', () => {
  expect(markdownTable(['a'], [['x|y\nz\\']])).toBe('| a |\n| --- |\n| x\\|y z\\\\ |');
});
