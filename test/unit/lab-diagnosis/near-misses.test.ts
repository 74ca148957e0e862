import { DEPENDENCY_TYPES, ROLES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import type { Recording } from '../../../lab/src/recording/index.js';
import { cachedRecording, explain, namesOf } from '../lab-analysis/model/cached.js';
import type { SyntheticOptions } from '../lab-analysis/model/synthetic-recording.js';

function explained(options: SyntheticOptions) {
  return explain(cachedRecording(options));
}

function outcomeOf(options: SyntheticOptions, rule: string) {
  return explained(options).diagnosis.rules.find((one) => one.rule === rule);
}

describe('throttling', () => {
  it('is not found for a stray 429', () => {
    const recording = cachedRecording({ scenario: 'serial' });
    let left = 20;
    const rows = recording.rows.map((row) => {
      if (row.kind !== 'dependency' || row.type !== DEPENDENCY_TYPES.documentQuery || left === 0) return row;
      left -= 1;
      return { ...row, resultCode: '429' };
    });
    const result = explain({ ...recording, rows });
    expect(result.analysis.measures['cosmos.throttled']).toBeGreaterThan(0);
    expect(namesOf(result)).toEqual(['serial-fan-out']);
  });

  it('is found in a container that the operation does not query', () => {
    const recording = cachedRecording({ scenario: 'serial' });
    const refused = recording.rows
      .filter((row) => row.kind === 'partition' && row.partition === '0')
      .map((row) => ({ ...row, container: 'packages', throttled: 10 }) as typeof row);
    const result = explain({ ...recording, rows: [...recording.rows, ...refused] });
    expect(result.diagnosis.findings[0]).toMatchObject({ name: 'throttling', subject: 'packages' });
  });

  it('outranks a CPU that is merely busy', () => {
    const options = { scenario: 'throttled', knobs: { deliveryRequestsPerSecond: 38 } };
    expect(namesOf(explained(options))[0]).toBe('throttling');
  });
});

describe('hot partition', () => {
  it('is found when half of the load wants one partition of a small budget', () => {
    const result = explained({
      scenario: 'partition-key',
      knobs: { ruPerSecond: 900, deliveryRequestsPerSecond: 500 },
      hotShare: 0.5,
    });
    expect(namesOf(result)).toEqual(['hot-partition', 'throttling']);
    expect(result.diagnosis.findings[0]).toMatchObject({ subject: '0', title: 'Hot partition 0' });
  });

  it('is not found when the partition is far from its limit', () => {
    const options = { scenario: 'partition-key', knobs: { deliveryRequestsPerSecond: 500 }, hotShare: 0.3 };
    expect(namesOf(explained(options))).toEqual(['none-found']);
    expect(outcomeOf(options, 'hot-partition')).toMatchObject({
      outcome: 'not-found',
      because: expect.stringMatching(/^partition 0 had .* used only/),
    });
  });
});

describe('CPU saturation', () => {
  it.each([118, 124, 130])(
    'is not found at a ceiling of %i req/s, above what the load asks for',
    (ceiling) => {
      const result = explained({ scenario: 'partition-key', knobs: { deliveryRequestsPerSecond: ceiling } });
      const last = result.analysis.measures['cpu.delivery.last5sPercent'] ?? 0;
      expect(last).toBeGreaterThan(75);
      if (last < 95) expect(namesOf(result)).toEqual(['none-found']);
    },
  );

  it.each([1, 2, 3])('seed %i: 85 to 90 per cent CPU does not hide the cost of fan-out', (seed) => {
    const result = explained({ scenario: 'parallel', knobs: { deliveryRequestsPerSecond: 89 }, seed });
    expect(result.analysis.measures['cpu.delivery.last5sPercent']).toBeGreaterThan(82);
    expect(namesOf(result)).toEqual(['cross-partition-cost']);
  });

  it('is found for a process without limit whose event loop is full', () => {
    const cpu = {
      gateway: { costMs: 14, limitCores: null },
      delivery: { costMs: 1, limitCores: null },
      package: { costMs: 0.8, limitCores: null },
      'drone-utilization': { costMs: 3, limitCores: null },
    };
    const result = explained({ scenario: 'partition-key', cpu });
    expect(result.diagnosis.findings[0]).toMatchObject({ name: 'cpu-saturation', subject: 'gateway' });
  });

  it('is not found when the event loop is full but something else has the processor', () => {
    const recording = cachedRecording({ scenario: 'parallel' });
    const rows = recording.rows.map((row) =>
      row.kind === 'process' && row.role === ROLES.gateway ? { ...row, eventLoopUtilization: 1 } : row,
    );
    const result = explain({ ...recording, rows });
    expect(result.analysis.measures['cpu.gateway.eventLoopPercent']).toBe(100);
    expect(namesOf(result)).not.toContain('cpu-saturation');
  });

  it('names two services when both are at their limit', () => {
    const cpu = {
      gateway: { costMs: 1, limitCores: null },
      delivery: { costMs: 2.5, limitCores: 0.2 },
      package: { costMs: 2.5, limitCores: 0.2 },
      'drone-utilization': { costMs: 3, limitCores: null },
    };
    const subjects = explained({ scenario: 'partition-key', cpu }).diagnosis.findings.map(
      (one) => one.subject,
    );
    expect(subjects.toSorted()).toEqual(['delivery', 'package']);
  });
});

describe('fan-out', () => {
  it('in parallel with room in every partition is no bottleneck', () => {
    const options = { scenario: 'parallel', knobs: { ruPerSecond: 4000 } };
    expect(namesOf(explained(options))).toEqual(['none-found']);
    expect(outcomeOf(options, 'cross-partition-cost')).toMatchObject({
      because: expect.stringContaining('reached only'),
    });
  });

  it('one after another is not the bottleneck when the time goes elsewhere', () => {
    const options = { scenario: 'serial', otherWorkMs: 900 };
    expect(namesOf(explained(options))).toEqual(['none-found']);
    expect(outcomeOf(options, 'serial-fan-out')).toMatchObject({
      because: expect.stringContaining('of the operation'),
    });
  });

  it('needs more than one partition', () => {
    const options = { scenario: 'serial', knobs: { physicalPartitions: 1, deliveryRequestsPerSecond: 300 } };
    expect(namesOf(explained(options))).toEqual(['none-found']);
  });

  it('in parallel over a budget that is too small is throttling', () => {
    const options = { scenario: 'parallel', knobs: { ruPerSecond: 900 } };
    expect(namesOf(explained(options))).toEqual(['throttling']);
  });
});

describe('other limits', () => {
  it('finds requests that wait for a connection to an idle service', () => {
    const result = explained({
      scenario: 'partition-key',
      knobs: { deliveryRequestsPerSecond: 500 },
      connections: 3,
    });
    expect(result.diagnosis.findings[0]).toMatchObject({
      name: 'connection-pool',
      subject: 'drone-utilization',
    });
  });

  it('finds failing requests, and not one in a thousand', () => {
    const knobs = { deliveryRequestsPerSecond: 500 };
    const failing = explained({ scenario: 'partition-key', knobs, failureShare: 0.05 });
    expect(namesOf(failing)).toEqual(['errors']);
    const rare = explained({ scenario: 'partition-key', knobs, failureShare: 0.001 });
    expect(rare.analysis.measures['client.errors']).toBeGreaterThan(0);
    expect(namesOf(rare)).toEqual(['none-found']);
  });

  it('ranks failures behind the limit that causes them', () => {
    const result = explained({ scenario: 'partition-key', failureShare: 0.05 });
    expect(namesOf(result)).toEqual(['cpu-saturation', 'errors']);
  });
});

describe('without data', () => {
  const recording = cachedRecording({ scenario: 'throttled' });
  const without = (kind: Recording['rows'][number]['kind']) =>
    explain({ ...recording, rows: recording.rows.filter((row) => row.kind !== kind) });
  const lacking = (result: ReturnType<typeof explain>) =>
    result.diagnosis.rules.filter((one) => one.outcome === 'no-data').map((one) => one.rule);

  it('rules say what they lack', () => {
    expect(lacking(without('dependency'))).toEqual([
      'hot-partition',
      'connection-pool',
      'serial-fan-out',
      'cross-partition-cost',
    ]);
    expect(lacking(without('partition'))).toEqual(['hot-partition', 'cross-partition-cost']);
    expect(lacking(without('process'))).toEqual(['cpu-saturation']);
    expect(lacking(without('load'))).toEqual(['errors']);
    expect(lacking(without('operation'))).toContain('serial-fan-out');
  });

  it('throttling is still seen by the account alone', () => {
    expect(namesOf(without('dependency'))[0]).toBe('throttling');
  });

  it('a run with no rows at all explains nothing and does not fail', () => {
    const result = explain({ ...recording, rows: [], machineSamples: [] });
    expect(namesOf(result)).toEqual(['none-found']);
    expect(result.diagnosis.findings[0]?.confidence).toBe('medium');
    expect(result.diagnosis.findings[0]?.evidence.map((one) => one.text)).toContainEqual(
      'rule cpu-saturation lacks data: no process rows',
    );
  });

  it('a role that is not the lab’s own is left out of the CPU rule', () => {
    const foreign = recording.rows.map((row) =>
      row.kind === 'process' && row.role === ROLES.delivery
        ? { ...row, role: 'somebody-else', cpuLimitCores: 0.1, cpuMs: 100 }
        : row,
    );
    expect(namesOf(explain({ ...recording, rows: foreign }))[0]).toBe('throttling');
  });
});

describe('near misses of the measurement', () => {
  const recording = cachedRecording({ scenario: 'parallel' });
  const findingsWhen = (change: Partial<Recording>) => namesOf(explain({ ...recording, ...change }));

  it('a load generator that stood still for 0.9 s was not saturated; for 1 s it was', () => {
    const { load } = recording;
    if (load === null) throw new Error('the model always has a load');
    const stoodStill = (eventLoopDelayMaxMs: number) =>
      findingsWhen({ load: { ...load, generator: { ...load.generator, eventLoopDelayMaxMs } } });
    expect(stoodStill(900)).toEqual(['cross-partition-cost']);
    expect(stoodStill(1_000)[0]).toBe('generator-saturated');
  });

  it('users that are counted a tenth too high still agree with Little’s law; a fifth too high do not', () => {
    const counted = (factor: number) =>
      findingsWhen({
        rows: recording.rows.map((row) =>
          row.kind === 'load' ? { ...row, users: Math.round(row.users * factor) } : row,
        ),
      });
    expect(counted(1.1)).toEqual(['cross-partition-cost']);
    expect(counted(1.25)[0]).toBe('invalid-run');
  });

  it('a service that waits for connections only a little is not held back by them', () => {
    const knobs = { deliveryRequestsPerSecond: 500 };
    const found = [3, 4, 6, 8, 12, 20].filter((connections) =>
      namesOf(explained({ scenario: 'partition-key', knobs, connections })).includes('connection-pool'),
    );
    expect(found).toEqual([3, 4]);
  });

  it('throttling just below its threshold is none, and just above it is', () => {
    const refusing = (percent: number) => {
      const serial = cachedRecording({ scenario: 'serial' });
      const rows = serial.rows.flatMap((row) => {
        if (row.kind !== 'dependency' || row.type !== DEPENDENCY_TYPES.documentQuery) return [row];
        const refused = { ...row, resultCode: '429', count: row.count * (percent / 100), requestCharge: 0 };
        return [
          { ...row, count: row.count * (1 - percent / 100) },
          { ...refused, retries: 0 },
        ];
      });
      return namesOf(explain({ ...serial, rows }));
    };
    expect(refusing(0.9)).not.toContain('throttling');
    expect(refusing(1.1)[0]).toBe('throttling');
  });
});
