import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findOperation } from '../../../lab/src/telemetry/find-operation.js';
import { type Operation, readOperation } from '../../../lab/src/telemetry/operation.js';
import { folderSource, type TelemetrySource } from '../../../lab/src/telemetry/telemetry-source.js';
import { waterfall } from '../../../lab/src/telemetry/waterfall.js';
import {
  operationId,
  QUERY_RU,
  REFUSED_RU,
  RUN_ID,
  type SyntheticRun,
  WAIT_MS,
  writeSyntheticRun,
} from './synthetic-run.js';

const RUN: SyntheticRun = { calls: 9, throttled: true };
const plain = { width: 120, paint: (_: string, text: string) => text };

let written: ReturnType<typeof writeSyntheticRun>;
let source: TelemetrySource;
beforeAll(async () => {
  written = writeSyntheticRun(RUN);
  source = await folderSource(written.folder);
});
afterAll(() => written[Symbol.dispose]());

const read = async (id: string) => (await readOperation(source, id)) as Operation;

describe('an operation', () => {
  it('has one root, three calls each with its request, and the attempts below one of them in order', async () => {
    const { roots, run, scenario, step } = await read(operationId(5));
    expect({ run, scenario, step }).toEqual({ run: RUN_ID, scenario: 'synthetic', step: '1' });
    expect(roots).toHaveLength(1);
    const calls = roots[0]?.children ?? [];
    expect(calls.map((call) => call.children.map((answered) => answered.name))).toEqual(
      expect.arrayContaining([
        ['GET Deliveries/GetSummary'],
        ['GET /api/packages/summary'],
        ['GET DroneDeliveries/GetDroneUtilization'],
      ]),
    );
    const attempts = calls.flatMap((call) => call.children.flatMap((answered) => answered.children));
    expect(attempts.map(({ kind, resultCode, partition }) => [kind, resultCode, partition])).toEqual([
      ['call', '429', '0'],
      ['wait', '0', null],
      ...Array.from({ length: 9 }, (_, partition) => ['call', '200', String(partition)]),
    ]);
    expect(attempts[0]).toMatchObject({
      success: false,
      requestCharge: REFUSED_RU,
      attempt: 1,
      retryAfterMs: WAIT_MS,
    });
    expect(attempts[2]).toMatchObject({
      success: true,
      requestCharge: QUERY_RU,
      attempt: 2,
      retryAfterMs: null,
    });
    expect(attempts[1]?.startMs).toBe(3 + 60);
  });

  it('is null when nothing of it was recorded', async () => {
    expect(await readOperation(source, 'f'.repeat(32))).toBeNull();
  });
});

describe('the operation asked for', () => {
  it('can be the slowest, the most throttled, or named by the beginning of its id', async () => {
    expect(await findOperation(source, 'slowest')).toBe(operationId(75));
    const throttled = await read(await findOperation(source, 'throttled'));
    expect(JSON.stringify(throttled)).toContain('"429"');
    expect(await findOperation(source, operationId(7).toUpperCase())).toBe(operationId(7));
  });

  it.each([
    ['abcd', /could be abcd.*, abcd.* and more; give more of the id/],
    ['fffff', /no operation fffff in run lab-telemetry-/],
    ['xyz', /allowed are slowest, throttled, or 4 to 32 hexadecimal digits/],
    ["a' or 1==1", /is no operation/],
  ])('%s is refused with what is allowed', async (given, message) => {
    await expect(findOperation(source, given)).rejects.toThrow(message);
  });

  it('may not exist', async () => {
    using calm = writeSyntheticRun({ calls: 1, throttled: false });
    await expect(findOperation(await folderSource(calm.folder), 'throttled')).rejects.toThrow(
      /no operation was answered 429/,
    );
  });
});

describe('a waterfall', () => {
  it('shows bars, status, partition, charge, attempts and waits, readable without colours', async () => {
    const text = waterfall(await read(operationId(5)), plain);
    expect(text).not.toContain('\u001b');
    const lines = text.split('\n');
    expect(lines[0]).toBe(`GET /api/invoices  ${operationId(5)}`);
    expect(lines[2]).toBe(
      '925 ms, 10 partition queries, 1 answered 429, 300 ms waited to retry (32 %), 29.20 RU',
    );
    const refused = lines.findIndex((line) => line.includes(' 429 '));
    expect(lines[refused]).toMatch(
      /Azure DocumentDB +429 +\| *█+ *\| +60 ms {2}partition 0, 0\.40 RU, throttled$/,
    );
    expect(lines[refused + 1]).toMatch(
      /\(waiting to retry\) +wait +\| *░+ *\| +300 ms {2}asked to wait 300 ms$/,
    );
    expect(lines[refused + 2]).toMatch(/ 200 .* partition 0, 3\.20 RU, attempt 2$/);
  });

  it('draws every bar inside the frame, in proportion and in order', async () => {
    const lines = waterfall(await read(operationId(5)), plain)
      .split('\n')
      .filter((line) => line.includes('|'));
    const frames = lines.map((line) => /\|(.*)\|/.exec(line)?.[1] ?? '');
    expect(new Set(frames.map((frame) => frame.length)).size).toBe(1);
    const wait = frames.find((frame) => frame.includes('░')) ?? '';
    const share = wait.trim().length / wait.length;
    expect(Math.abs(share - WAIT_MS / 925)).toBeLessThan(1.5 / wait.length);
    const attempts = frames.filter((_, at) => /Azure DocumentDB|waiting/.test(lines[at] ?? ''));
    const begins = attempts.map((frame) => frame.search(/\S/));
    expect(begins).toEqual(begins.toSorted((a, b) => a - b));
  });

  it('marks failures and waits with colour where there is some', async () => {
    const text = waterfall(await read(operationId(5)), {
      ...plain,
      paint: (style, line) => `<${style}>${line}`,
    });
    expect(text).toMatch(/^<red>.* 429 /m);
    expect(text).toMatch(/^<yellow>.*waiting to retry/m);
  });
});
