import { createKqlEngine, TABLES } from '@bottleneck-lab/app-insights-emulator';
import { OPERATIONS, ROLES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { setParameters } from '../../../lab/src/telemetry/query-file.js';
import { loadQueries, resolveQuery } from '../../../lab/src/telemetry/query-library.js';
import { folderSource, records } from '../../../lab/src/telemetry/telemetry-source.js';
import {
  INVOICES,
  operationId,
  QUERY_RU,
  REFUSED_RU,
  RUN_ID,
  STEP_INVOICES,
  type SyntheticRun,
  syntheticItems,
  utilizationMs,
  WAIT_MS,
  writeItems,
  writeSyntheticRun,
} from './synthetic-run.js';

const THROTTLED: SyntheticRun = { calls: 9, throttled: true };
const REFUSED = INVOICES / 10;

async function ask(run: SyntheticRun, name: string, parameters: Record<string, string> = {}) {
  using written = writeSyntheticRun(run);
  const source = await folderSource(written.folder);
  return records(await source.query(setParameters(resolveQuery(name).text, parameters)));
}

describe('the queries of the library', () => {
  it.each(loadQueries())('$name is correct for the documented tables, without a warning', ({ text }) => {
    expect(createKqlEngine(TABLES).analyze(text)).toMatchObject({ diagnostics: [] });
  });

  it.each<[SyntheticRun, number]>([
    [THROTTLED, 9],
    [{ calls: 9, throttled: false }, 9],
    [{ calls: 1, throttled: false }, 1],
    [{ calls: 9, throttled: true, itemCount: 4 }, 9],
  ])('count the Cosmos DB calls per successful operation of %o as %i', async (run, calls) => {
    const operations = INVOICES * (run.itemCount ?? 1);
    const attempts = calls + (run.throttled ? REFUSED / INVOICES : 0);
    expect(await ask(run, 'cosmos-calls-per-operation')).toEqual([
      {
        OperationName: OPERATIONS.getDroneUtilization,
        DependencyType: 'Azure DocumentDB',
        SuccessfulOperations: operations,
        Calls: operations * calls,
        CallsPerOperation: calls,
        AttemptsPerOperation: attempts,
      },
    ]);
  });

  it('name the slow backend operation, warm-up left out', async () => {
    const rows = await ask(THROTTLED, 'backend-durations');
    const mean =
      Array.from({ length: INVOICES }, (_, invoice) => utilizationMs(invoice, THROTTLED)).reduce(
        (a, b) => a + b,
      ) / INVOICES;
    expect(rows.find((row) => row.Operation === OPERATIONS.getDroneUtilization)).toMatchObject({
      Role: ROLES['drone-utilization'],
      Requests: INVOICES,
      MeanMs: Math.round(mean * 10) / 10,
    });
    expect(rows.find((row) => row.Operation === OPERATIONS.getDeliveriesSummary)).toMatchObject({
      MeanMs: 12,
      P99Ms: 12,
    });
    // The setup request belongs to the run, the warm-up request does not.
    expect(rows.find((row) => row.Operation === OPERATIONS.getInvoice)).toMatchObject({
      Requests: INVOICES + 1,
    });
  });

  it('count answers by status in bins of 10 s', async () => {
    const perBin = INVOICES / 2;
    // The last invoice of each bin begins 250 ms before its end: five of its nine queries do, too.
    const late = 4;
    expect(await ask(THROTTLED, 'cosmos-results-over-time')).toEqual([
      { timestamp: '2026-01-02T03:00:00Z', Answer: '2xx', Attempts: perBin * 9 - late },
      { timestamp: '2026-01-02T03:00:00Z', Answer: '429', Attempts: perBin / 10 },
      { timestamp: '2026-01-02T03:00:10Z', Answer: '2xx', Attempts: perBin * 9 },
      { timestamp: '2026-01-02T03:00:10Z', Answer: '429', Attempts: perBin / 10 },
      { timestamp: '2026-01-02T03:00:20Z', Answer: '2xx', Attempts: late },
    ]);
  });

  it('add up request units per operation', async () => {
    const perOperation = 9 * QUERY_RU + (REFUSED / INVOICES) * REFUSED_RU;
    expect(await ask(THROTTLED, 'request-units-per-operation')).toEqual([
      {
        Operation: OPERATIONS.getDroneUtilization,
        Type: 'Azure DocumentDB',
        Operations: INVOICES,
        AttemptsPerOperation: 9.1,
        RuPerAttempt: Math.round((perOperation / 9.1) * 100) / 100,
        RuPerOperation: Math.round(perOperation * 100) / 100,
      },
    ]);
  });

  it('set each partition against its share of what is provisioned', async () => {
    const rows = await ask(THROTTLED, 'partition-throughput', { provisionedRuPerSecond: '90' });
    expect(rows).toHaveLength(9);
    for (const row of rows) expect(row.LimitRuPerSecond).toBe(10);
    const first = rows.find((row) => row.Partition === '0');
    // Four invoices a second, and in some of them the repeated query of the second before.
    expect(first).toMatchObject({
      PeakRuPerSecond: 5 * QUERY_RU,
      PeakPercent: 160,
      Throttled: REFUSED,
      FirstThrottled: '2026-01-02T03:00:01Z',
    });
    expect(rows.find((row) => row.Partition === '8')).toMatchObject({ Throttled: 0, FirstThrottled: null });
  });

  it('show how much of the slowest operations is waiting', async () => {
    const rows = await ask(THROTTLED, 'slowest-operations');
    expect(rows).toHaveLength(20);
    const last = 75;
    const slowest = utilizationMs(last, THROTTLED);
    expect(rows[0]).toMatchObject({
      Operation: OPERATIONS.getDroneUtilization,
      DurationMs: slowest,
      Waits: 1,
      WaitMs: WAIT_MS,
      WaitPercent: Math.round((1000 * WAIT_MS) / slowest) / 10,
      operation_Id: operationId(last),
    });
    expect(rows.filter((row) => row.Waits === 1)).toHaveLength(REFUSED);
  });

  it('list failures that nobody outside sees', async () => {
    const [first, ...others] = await ask(THROTTLED, 'failures-by-operation');
    expect(first).toMatchObject({
      Operation: OPERATIONS.getDroneUtilization,
      Kind: 'dependency',
      Total: INVOICES * 9 + REFUSED,
      Failed: REFUSED,
      Throttled: REFUSED,
      FailedPercent: Math.round((10_000 * REFUSED) / (INVOICES * 9 + REFUSED)) / 100,
    });
    for (const row of others) expect(row.Failed).toBe(0);
  });

  it('draw the edges of the application map', async () => {
    const rows = await ask(THROTTLED, 'application-map');
    expect(rows).toHaveLength(4);
    expect(rows).toContainEqual({
      ...{ Caller: ROLES.gateway, Callee: ROLES.delivery, Type: 'Http', Calls: INVOICES, Failed: 0 },
      ...{ MeanMs: 20, P95Ms: 20, CalleeMs: 12 },
    });
    expect(rows).toContainEqual({
      ...{ Caller: ROLES['drone-utilization'], Callee: '127.0.0.1:8081|invoicing', Type: 'Azure DocumentDB' },
      ...{ Calls: INVOICES * 9 + REFUSED, Failed: REFUSED, MeanMs: 60, P95Ms: 60, CalleeMs: null },
    });
  });

  it('set CPU against its limit, where there is one', async () => {
    const rows = await ask(THROTTLED, 'cpu-against-limit');
    const delivery = rows.filter((row) => row.Role === ROLES.delivery);
    expect(
      delivery.map((row) => [row.UsedCores, row.LimitCores, row.LimitPercent, row.ThrottledPeriodsPercent]),
    ).toEqual([
      [0.1, 0.4, 25, 0],
      [0.1, 0.4, 25, 0],
      [0.38, 0.4, 95, 60],
      [0.38, 0.4, 95, 60],
    ]);
    for (const row of rows.filter((one) => one.Role === ROLES.gateway)) {
      expect(row).toMatchObject({ UsedCores: 0.2, LimitCores: null, LimitPercent: null });
    }
  });

  it('split the load by step, the setup request left out', async () => {
    const rows = await ask({ calls: 1, throttled: false }, 'percentiles-per-step');
    expect(rows.map((row) => row.Step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    for (const row of rows) {
      expect(row).toMatchObject({ Requests: STEP_INVOICES, Failed: 0 });
      const first = ((row.Step as number) - 1) * STEP_INVOICES;
      expect(row.P99Ms).toBe(utilizationMs(first + STEP_INVOICES - 1, { calls: 1, throttled: false }) + 20);
    }
  });

  it('show the newest run, when telemetry of others is there too', async () => {
    const older = JSON.stringify(syntheticItems({ calls: 1, throttled: false }))
      .replaceAll(RUN_ID, '20260102T020000Z-older-0001')
      .replaceAll('2026-01-02T0', '2026-01-01T0');
    using written = writeItems([...JSON.parse(older), ...syntheticItems(THROTTLED)]);
    const source = await folderSource(written.folder);
    const { text } = resolveQuery('cosmos-calls-per-operation');
    expect(records(await source.query(text))).toMatchObject([
      { SuccessfulOperations: INVOICES, CallsPerOperation: 9 },
    ]);
  });

  it('show requests made by hand, when there is no run', async () => {
    const byHand = JSON.stringify(syntheticItems(THROTTLED)).replaceAll('"lab.run":', '"other":');
    using written = writeItems(JSON.parse(byHand));
    const source = await folderSource(written.folder);
    const { text } = resolveQuery('cosmos-calls-per-operation');
    expect(records(await source.query(text))).toMatchObject([
      { SuccessfulOperations: INVOICES, CallsPerOperation: 9 },
    ]);
  });
});
