import { describe, expect, it } from 'vitest';
import { buildResult } from '../../../lab/src/results/index.js';
import { formatPanel } from '../../../lab/src/workshop/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const SCENARIOS = ['throttled', 'serial', 'parallel', 'partition-key'];
const LAYOUT = { color: false, width: 110 };

describe.each(SCENARIOS)('the instruments of %s', (scenario) => {
  const result = buildResult(cachedRecording({ scenario }));
  const text = formatPanel(result, LAYOUT);
  const cells = (beginning: string) =>
    text
      .split('\n')
      .find((line) => line.startsWith(beginning))
      ?.slice(beginning.length)
      .trim()
      .split(/ {2,}/);

  it('show what was measured', () => {
    const { measures, steps, partitions } = result;
    expect(Number(cells('requests/s, mean')?.[0])).toBeCloseTo(measures['throughput.mean'] as number, 0);
    expect(cells('partition queries/operation')?.[0]).toBe(scenario === 'partition-key' ? '1' : '9');
    expect(cells('delivery')).toHaveLength(4);
    for (const { name, users } of steps) expect(cells(`${name}  `)?.[0]).toBe(String(Math.round(users)));
    for (const one of partitions.filter(({ requests }) => requests > 0)) {
      expect(cells(`${one.container} ${one.partition} `)?.[0]).toBe(one.requests.toLocaleString('en-US'));
    }
  });

  it('explain nothing', () => {
    for (const { title, name, evidence } of result.diagnosis.findings) {
      for (const words of [title, name, ...evidence.map((one) => one.text)])
        expect(text).not.toContain(words);
    }
    const { id, scenario: ran } = result;
    expect(text.replace(id, '')).not.toContain(ran.title);
    expect(text.replace(id, '')).not.toMatch(/serial|parallel|expected|published/);
  });
});
