import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../lab/src/recording/index.js';
import { progressionHtml } from '../../../lab/src/report/html/progression-page.js';
import { reportedRun } from '../../../lab/src/report/html/reported-run.js';
import { runHtml } from '../../../lab/src/report/html/run-page.js';
import { buildResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';
import { columnsOf, figureOf, textOf, unbalancedTags } from './page-reader.js';

const MEGABYTE = 1_000_000;
const TESTS = ['throttled', 'serial', 'parallel', 'partition-key'];
const runs = TESTS.map((scenario) => {
  const recording = cachedRecording({ scenario, seed: 1 });
  return reportedRun(recording, buildResult(recording));
});
const recording = cachedRecording({ scenario: 'throttled', seed: 1 });
const [throttled] = runs as [(typeof runs)[number]];
const page = runHtml(throttled);

const pageOf = (changed: Recording) => runHtml(reportedRun(changed, buildResult(changed)));
const sum = (cells: readonly string[] | undefined) =>
  (cells ?? []).reduce((total, cell) => total + Number(cell.replaceAll(',', '')), 0);

describe('report.html of a run', () => {
  it('shows charts 1 to 8, each with a picture that has a title and a description, and with its figures', () => {
    for (const number of [1, 2, 3, 4, 5, 6, 8]) {
      const figure = figureOf(page, number);
      const [, titleId, descriptionId] = /role="img" aria-labelledby="(\S+) (\S+)"/.exec(figure) ?? [];
      expect(figure).toMatch(new RegExp(`<title id="${titleId}">[^<]+</title>`));
      expect(figure).toMatch(new RegExp(`<desc id="${descriptionId}">[^<]{20,}</desc>`));
      expect(Object.values(columnsOf(figure))[0]?.length, `chart ${number}`).toBeGreaterThan(3);
    }
    expect(figureOf(page, 7)).toContain('No transaction');
  });

  it('is well-formed, and every id is there once', () => {
    expect(unbalancedTags(page)).toEqual([]);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map((one) => one[1]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('needs nothing else: no script, no address but the article, and a policy that allows none', () => {
    expect(page).not.toMatch(/<script|<link|<img|@import|url\((?!#)|\son\w+=/i);
    const addresses = [...page.matchAll(/https?:\/\/[^"<\s]+/g)].map((one) => one[0]);
    expect(new Set(addresses)).toEqual(
      new Set(['https://learn.microsoft.com/azure/architecture/performance/backend-services']),
    );
    expect(page).toContain(`default-src 'none'`);
  });

  it('has the figures of result.json in its charts', () => {
    const { measures, partitions } = throttled.result;
    const users = columnsOf(figureOf(page, 1));
    expect(users.second).toHaveLength(60);
    expect(sum(users['successful requests, req/s'])).toBe(
      (measures['client.requests'] ?? 0) - (measures['client.errors'] ?? 0),
    );
    expect(Math.max(...(users.users ?? []).map(Number))).toBe(measures['load.maxUsers']);
    const answers = columnsOf(figureOf(page, 4));
    expect(sum(answers['429, answers/s'])).toBe(measures['cosmos.throttled']);
    const hottest = partitions
      .filter((one) => one.container === 'utilization')
      .reduce((most, one) => (one.peakRuPerSecond > most.peakRuPerSecond ? one : most));
    const title = `partition ${hottest.partition}, the busiest, RU/s`;
    const peak = Math.max(...(columnsOf(figureOf(page, 5))[title] ?? []).map(Number));
    expect(peak).toBe(Math.round(hottest.peakRuPerSecond));
    const cost = columnsOf(figureOf(page, 6));
    expect(cost.RU).toHaveLength(throttled.result.steps.length);
    expect(Number(cost['partition queries']?.at(-2))).toBeCloseTo(9, 0);
  });

  it('draws a line through as many points as there are seconds', () => {
    const lines = [
      ...figureOf(page, 5).matchAll(/<path class="line blue (?:faint|strong)"[^>]* d="M([^"]+L[^"]+)"/g),
    ];
    expect(lines).toHaveLength(9);
    for (const [, path = ''] of lines) expect(path.split('L')).toHaveLength(60);
  });

  it('gives the diagnosis with evidence, its measures, the query behind it and the next experiment', () => {
    const text = textOf(page);
    expect(text).toMatch(
      /Bottleneck: Cosmos DB throttles confidence high 2\.\d % of the requests to "utilization"/,
    );
    expect(text).toContain(
      'cosmos.throttledPercent ; dependency rows with resultCode 429; query cosmos-results-over-time',
    );
    expect(text).toContain('Next: Raise the provisioned throughput');
    expect(text).toContain('Knob: ruPerSecond');
    expect(text).toContain('Also: Serial fan-out');
    for (const { rule } of throttled.result.diagnosis.rules) expect(text).toContain(rule);
  });

  it('says what a repeat needs, and whether the measurement agrees with itself', () => {
    const text = textOf(page);
    for (const words of [
      'seed 1',
      '900 RU/s in 9 physical partitions',
      'serial, partition key deliveryId',
      'mean 62 ms, coefficient of variation 1.3',
      throttled.result.machine.cpuModel,
      throttled.result.machine.node,
      'This run is valid.',
      'users = throughput × (latency + think time)',
    ]) {
      expect(text).toContain(words);
    }
  });

  it('has published beside measured, with a remark on each difference', () => {
    const text = textOf(page);
    expect(text).toMatch(/utilization\.meanMs \d+ ms 669 ms -?[\d.]+ % agrees/);
    expect(text).toMatch(/cosmos\.throttledPercent [\d.]+ % 14 % -[\d.]+ % the published load held 41 users/);
  });

  it('is the same for the same run', () => {
    expect(pageOf(recording)).toBe(page);
  });

  it.each([480, 3_600])('of %i s stays under 1 MB and keeps its tables short', (plannedSeconds) => {
    const long = stretched(plannedSeconds);
    const text = pageOf(long);
    expect(Buffer.byteLength(text)).toBeLessThan(MEGABYTE);
    expect(Object.values(columnsOf(figureOf(text, 1)))[0]?.length).toBeLessThanOrEqual(60);
    expect(unbalancedTags(text)).toEqual([]);
  });

  it('shows knobs that were turned as lines in the charts over time', () => {
    const turnedKnobs = [{ second: 20.4, knob: 'ruPerSecond' as const, from: 900, to: 2500 }];
    const turned = pageOf({ ...recording, meta: { ...recording.meta, turnedKnobs } });
    for (const number of [1, 2, 3, 4, 5])
      expect(textOf(figureOf(turned, number))).toContain('ruPerSecond 2500');
    expect(textOf(turned)).toContain('ruPerSecond from 900 to 2500 in second 20');
  });

  it('never gives away the answer of the workshop', () => {
    const { teaching } = recording.meta.scenario as { teaching?: { answer: string } };
    expect(teaching?.answer).toBeDefined();
    expect(textOf(page)).not.toContain(teaching?.answer.slice(0, 60));
  });

  it('is not broken by words that look like markup', () => {
    const hostile = '</title><script>alert(1)</script>"\'&';
    const { meta } = recording;
    const scenario = { ...meta.scenario, title: hostile, name: hostile };
    const text = pageOf({
      ...recording,
      meta: { ...meta, id: hostile, scenario, machine: { ...meta.machine, cpuModel: hostile } },
    });
    expect(text).not.toContain('<script');
    expect(unbalancedTags(text)).toEqual([]);
    expect(textOf(text)).toContain(hostile);
  });
});

describe('report.html of a run that is not sound', () => {
  it('begins with that when it was broken off, and shows the seconds that there are', () => {
    const text = pageOf({
      ...recording,
      meta: { ...recording.meta, status: 'interrupted', reason: 'Ctrl-C' },
      rows: recording.rows.filter((row) => row.second < 1_700_000_000 + 20),
    });
    expect(textOf(text)).toContain('This run was interrupted (Ctrl-C); it covers 20 of 60 s.');
    expect(columnsOf(figureOf(text, 1))['successful requests, req/s']?.slice(20)).toEqual(Array(40).fill(''));
    expect(textOf(text)).toContain('This run is not valid.');
  });

  it('is written for a run whose load never started', () => {
    const text = pageOf({
      ...recording,
      meta: { ...recording.meta, status: 'broken', reason: 'gateway died' },
      rows: [],
      load: null,
      machineSamples: [],
    });
    expect(unbalancedTags(text)).toEqual([]);
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
    expect(textOf(text)).toContain('No service told its CPU.');
    expect(textOf(text)).toContain('No partition query was recorded.');
    expect(textOf(text)).toContain('There are too few steps to tell whether throughput followed the users.');
  });

  it.each(['load', 'operation', 'dependency', 'process', 'partition'])('has no %s rows', (kind) => {
    const text = pageOf({ ...recording, rows: recording.rows.filter((row) => row.kind !== kind) });
    expect(unbalancedTags(text)).toEqual([]);
    expect(text).not.toMatch(/NaN|Infinity|undefined/);
  });
});

describe('report.html of a progression', () => {
  const text = progressionHtml(runs);

  it('puts measured beside published for every run, and names every bottleneck', () => {
    expect(textOf(text)).toMatch(
      /requests\/s [\d.]+ \(19\.1\) [\d.]+ \(23\.3\) [\d.]+ \(42\) [\d.]+ \(59\.5\)/,
    );
    expect(textOf(text)).toContain(
      'bottleneck Cosmos DB throttles Serial fan-out Cost of cross-partition queries CPU of delivery',
    );
    expect(textOf(text)).toContain('Where the figures differ, and why');
  });

  it('draws all runs on the same axes, told apart without colours', () => {
    for (const number of [1, 2, 3, 4, 5]) {
      const dashes = [
        ...figureOf(text, number).matchAll(
          /<path class="line \w+ strong" stroke-dasharray="([^"]*)" d="M\d+[ .]/g,
        ),
      ];
      expect(new Set(dashes.map((one) => one[1])).size, `chart ${number}`).toBe(4);
    }
  });

  it('compares the tests with what was published', () => {
    const compared = columnsOf(figureOf(text, 8));
    expect(compared.test).toEqual(TESTS.map((name, at) => `${at + 1} ${name}`));
    expect(compared['requests/s, mean of the load, measured']?.map(Number)).toEqual(
      runs.map(({ result }) => Number((result.measures['throughput.mean'] ?? 0).toPrecision(3))),
    );
  });

  it('is small, well-formed, and links to the report of each run', () => {
    expect(Buffer.byteLength(text)).toBeLessThan(MEGABYTE);
    expect(unbalancedTags(text)).toEqual([]);
    const ids = [...text.matchAll(/ id="([^"]+)"/g)].map((one) => one[1]);
    expect(new Set(ids).size).toBe(ids.length);
    for (const { result } of runs) expect(text).toContain(`href="${result.id}/report.html"`);
  });

  it('takes one run, the same scenario twice, and none', () => {
    const twice = progressionHtml([throttled, throttled]);
    expect(columnsOf(figureOf(twice, 8)).test?.slice(0, 2)).toEqual(['1 throttled', '1 throttled']);
    expect(textOf(figureOf(twice, 1))).toContain('throttled (2)');
    for (const some of [[throttled], []]) expect(unbalancedTags(progressionHtml(some))).toEqual([]);
  });
});

/** The recording with its seconds repeated until it is that long: the model itself would take a minute. */
function stretched(plannedSeconds: number): Recording {
  const zero = Math.round(recording.meta.loadStartMs / 1000);
  const inside = recording.rows.filter((row) => row.second >= zero && row.second < zero + 60);
  const rows = Array.from({ length: plannedSeconds / 60 }, (_, at) =>
    inside.map((row) => ({ ...row, second: row.second + at * 60 })),
  ).flat();
  return { ...recording, meta: { ...recording.meta, plannedSeconds }, rows };
}
