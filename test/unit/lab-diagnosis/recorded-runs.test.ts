import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { measurementRow } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../lab/src/recording/index.js';
import { explain, namesOf } from '../lab-analysis/model/cached.js';

/** Cut from runs of the lab on one machine with two cores; see recorded/cut-recording.mjs. */
function recorded(name: string): Recording {
  const file = new URL(`./recorded/${name}.json.br`, import.meta.url);
  return JSON.parse(brotliDecompressSync(readFileSync(file)).toString('utf8'));
}

const summary = (name: string) => {
  const explained = explain(recorded(name));
  const [first] = explained.diagnosis.findings;
  const text = first?.evidence.map((one) => one.text).join('. ') ?? '';
  return { ...explained, first, text };
};

describe('a recorded run of each test of the article', () => {
  it('throttled: names the budget, the partition and the waits', () => {
    const { first, text, ...explained } = summary('throttled');
    expect(namesOf(explained)).toEqual(['throttling', 'serial-fan-out']);
    expect(first).toMatchObject({ subject: 'utilization', confidence: 'high' });
    expect(text).toMatch(/% of the requests to "utilization" were answered 429/);
    expect(text).toMatch(/of 100 RU\/s in second \d+; its first 429 came in second \d+/);
    expect(text).toMatch(/waiting to try again made up/);
    expect(text).toMatch(/CPU is not it/);
  });

  it('serial: names the shape, and rules out both limits', () => {
    const { text, ...explained } = summary('serial');
    expect(namesOf(explained)).toEqual(['serial-fan-out']);
    expect(text).toMatch(/one operation makes 9 partition queries of \d+ ms each/);
    expect(text).toMatch(/request units are not it/);
    expect(explained.analysis.measures).not.toHaveProperty(['load.kneeUsers']);
  });

  it('parallel: names the price, and how near the limit is', () => {
    const { text, ...explained } = summary('parallel');
    expect(namesOf(explained)).toEqual(['cross-partition-cost']);
    expect(text).toMatch(/one operation costs 2\d(\.\d)? RU: 9 partition queries/);
  });

  it('partition-key: names the service, its limit, and its throttled periods', () => {
    const { first, text, ...explained } = summary('partition-key');
    expect(namesOf(explained)).toEqual(['cpu-saturation']);
    expect(first).toMatchObject({ subject: 'delivery', confidence: 'high' });
    expect(text).toMatch(/delivery used 97 % of its limit of 0\.4\d* cores in the last 5 s/);
    expect(text).toMatch(/82 % of its enforcement periods were throttled/);
    expect(text).toMatch(/request units are not it/);
  });

  it.each(['throttled', 'serial', 'parallel', 'partition-key'])('%s: agrees with itself', (name) => {
    const { validity, analysis } = explain(recorded(name));
    expect(validity.checks.filter((one) => one.ok === false)).toEqual([]);
    expect(analysis.measures['load.littleRatio']).toBeGreaterThan(0.95);
    expect(analysis.measures['load.littleRatio']).toBeLessThan(1.05);
  });

  it.each(['throttled', 'serial', 'parallel', 'partition-key'])(
    '%s: every sentence with a measure names the query that shows it, and every finding what to try',
    (name) => {
      for (const finding of explain(recorded(name)).diagnosis.findings) {
        expect(finding.next.length).toBeGreaterThan(0);
        for (const one of finding.evidence) {
          expect(one.measures.length + one.rows.length, one.text).toBeGreaterThan(0);
          if (one.measures.length > 0) expect(one.query, one.text).not.toBeNull();
        }
      }
    },
  );
});

describe('a recorded run that is not what it seems', () => {
  it('on a busy machine is that, though it was throttled less than it should be', () => {
    const { diagnosis, validity } = explain(recorded('busy-machine'));
    expect(validity.valid).toBe(false);
    expect(diagnosis.findings[0]).toMatchObject({ name: 'invalid-run', title: 'The machine was too busy' });
    for (const other of diagnosis.findings.slice(1)) expect(other.confidence).toBe('low');
  });

  it('with half of the load on one owner keeps the hot partition as a hint, though the machine was busy', () => {
    const explained = explain(recorded('hot-partition'));
    expect(namesOf(explained)).toEqual(['invalid-run', 'hot-partition']);
    const [, hint] = explained.diagnosis.findings;
    expect(hint).toMatchObject({ subject: '3', confidence: 'low' });
    expect(hint?.evidence[0]?.text).toMatch(/^partition 3 got 4\.7 times as many requests as the mean/);
    expect(explained.analysis.measures['cosmos.throttled']).toBe(0);
  });

  it('at 83 % of a CPU limit is not saturated, though many periods were throttled', () => {
    const explained = explain(recorded('short-of-saturation'));
    const { measures } = explained.analysis;
    expect(Math.round(measures['cpu.delivery.last5sPercent'] ?? 0)).toBe(83);
    expect(measures['cpu.delivery.last5sThrottledPeriodsPercent']).toBeGreaterThan(35);
    expect(namesOf(explained)).toEqual(['none-found']);
    expect(explained.diagnosis.findings[0]?.evidence[0]?.text).toMatch(
      /^throughput followed the users up to/,
    );
  });
});

it.each(['throttled', 'serial', 'parallel', 'partition-key', 'busy-machine', 'short-of-saturation'])(
  'the recording %s holds rows as the contract has them',
  (name) => {
    for (const row of recorded(name).rows) measurementRow.parse(row);
  },
);
