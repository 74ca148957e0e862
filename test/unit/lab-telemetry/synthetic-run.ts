import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { COSMOS_RETRY_WAIT, DEPENDENCY_TYPES, METRICS, OPERATIONS, ROLES } from '@bottleneck-lab/contracts';

/**
 * The telemetry of a run whose every figure is known by construction, as services send it: one invoice every 250 ms, ten per
 * load step, each with three backend operations and the Cosmos DB attempts below one of them.
 */
export interface SyntheticRun {
  /** Partition queries per operation. */
  calls: 1 | 9;
  /** Every tenth operation's first query is refused once. */
  throttled: boolean;
  /** Shares of traces kept; each kept item stands for that many. */
  itemCount?: number;
}

export const INVOICES = 80;
export const STEP_INVOICES = 10;
export const START_MS = Date.UTC(2026, 0, 2, 3, 0, 0);
export const RUN_ID = '20260102T030000Z-synthetic-0001';
export const QUERY_RU = 3.2;
export const REFUSED_RU = 0.4;
export const WAIT_MS = 300;
export const QUERY_MS = 60;
const INVOICE_INTERVAL_MS = 250;

type Envelope = Record<string, unknown>;

interface SpanInput {
  role: string;
  at: number;
  operation: string;
  operationId: string;
  id: string;
  parentId: string;
  ms: number;
  properties?: Record<string, string>;
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
const span = (ms: number) => new Date(ms).toISOString().replace('1970-01-01T', '').replace('Z', '0000');

export const operationId = (invoice: number) => `abcd${hex(invoice, 28)}`;
export const isThrottled = (invoice: number) => invoice % 10 === 5;
/** Grows by 1 ms per invoice, so that the slowest is the last. */
export const utilizationMs = (invoice: number, { calls, throttled }: SyntheticRun) =>
  calls * QUERY_MS + invoice + (throttled && isThrottled(invoice) ? WAIT_MS + QUERY_MS : 0);

export function syntheticItems(run: SyntheticRun): Envelope[] {
  const items = Array.from({ length: INVOICES }, (_, invoice) => invoiceItems(invoice, run)).flat();
  // A warm-up request without baggage, and a setup request of the run.
  items.push(
    request({ ...warmUpSpan('eeee', 'ffff'), properties: {} }, run),
    request({ ...warmUpSpan('eeef', 'fffe'), properties: { 'lab.run': RUN_ID, 'lab.step': 'setup' } }, run),
  );
  return [...items, ...metricItems()];
}

const warmUpSpan = (operation: string, id: string): SpanInput => ({
  ...{ role: ROLES.gateway, at: START_MS - 1000, operation: OPERATIONS.getInvoice, ms: 5, parentId: '' },
  operationId: operation.padEnd(32, '0'),
  id: id.padEnd(16, '0'),
});

function invoiceItems(invoice: number, run: SyntheticRun): Envelope[] {
  const at = START_MS + invoice * INVOICE_INTERVAL_MS;
  const base = hex(invoice, 8);
  const slow = utilizationMs(invoice, run);
  const common = {
    operationId: operationId(invoice),
    properties: {
      ...{ 'lab.run': RUN_ID, 'lab.scenario': 'synthetic' },
      'lab.step': String(1 + Math.floor(invoice / STEP_INVOICES)),
    },
  };
  const root = { ...common, role: ROLES.gateway, operation: OPERATIONS.getInvoice, at };
  const items = [request({ ...root, id: `${base}00000000`, parentId: '', ms: slow + 20 }, run)];
  const backends = [
    { key: '1', role: ROLES.delivery, operation: OPERATIONS.getDeliveriesSummary, ms: 12 },
    { key: '2', role: ROLES.package, operation: OPERATIONS.getPackagesSummary, ms: 4 },
    { key: '3', role: ROLES['drone-utilization'], operation: OPERATIONS.getDroneUtilization, ms: slow },
  ];
  for (const { key, role, operation, ms } of backends) {
    const call = `${base}0000000${key}`;
    items.push(
      dependency(
        { ...root, id: call, parentId: `${base}00000000`, at: at + 1, ms: ms + 8 },
        { type: DEPENDENCY_TYPES.http, target: role, resultCode: '200' },
        run,
      ),
      request(
        { ...common, role, operation, id: `${base}1000000${key}`, parentId: call, at: at + 2, ms },
        run,
      ),
    );
  }
  return [...items, ...attempts(invoice, { run, common, at: at + 3 })];
}

function attempts(
  invoice: number,
  place: { run: SyntheticRun; common: Pick<SpanInput, 'operationId' | 'properties'>; at: number },
): Envelope[] {
  const { run, common } = place;
  const base = hex(invoice, 8);
  const items: Envelope[] = [];
  let { at } = place;
  let number = 0;
  const add = (options: { ms: number; partition: number; code: string; attempt: number; type?: string }) => {
    const { ms, partition, code, attempt, type = DEPENDENCY_TYPES.documentQuery } = options;
    const properties = {
      ...common.properties,
      'CosmosDb.PartitionKeyRangeId': String(partition),
      'CosmosDb.RequestCharge': String(code === '429' ? REFUSED_RU : QUERY_RU),
      'CosmosDb.Attempt': String(attempt),
      ...(code === '429' ? { 'CosmosDb.RetryAfterMs': String(WAIT_MS) } : {}),
    };
    number += 1;
    items.push(
      dependency(
        {
          ...{
            ...common,
            role: ROLES['drone-utilization'],
            operation: OPERATIONS.getDroneUtilization,
            properties,
          },
          ...{ id: `${base}2${hex(number, 7)}`, parentId: `${base}10000003`, at, ms },
        },
        { type, target: '127.0.0.1:8081|invoicing', resultCode: code },
        run,
      ),
    );
    at += ms;
  };
  for (let call = 0; call < run.calls; call += 1) {
    const partition = run.calls === 1 ? invoice % 9 : call;
    const refused = run.throttled && isThrottled(invoice) && call === 0;
    if (refused) {
      add({ ms: QUERY_MS, partition, code: '429', attempt: 1 });
      items.push(waitItem(invoice, { run, common, at }));
      at += WAIT_MS;
    }
    add({ ms: QUERY_MS, partition, code: '200', attempt: refused ? 2 : 1 });
  }
  return items;
}

function waitItem(
  invoice: number,
  place: { run: SyntheticRun; common: Pick<SpanInput, 'operationId' | 'properties'>; at: number },
): Envelope {
  const { common, at, run } = place;
  return dependency(
    {
      ...{ role: ROLES['drone-utilization'], operation: OPERATIONS.getDroneUtilization, at, ms: WAIT_MS },
      operationId: common.operationId,
      id: `${hex(invoice, 8)}30000000`,
      parentId: `${hex(invoice, 8)}10000003`,
      properties: { ...common.properties, 'CosmosDb.RetryAfterMs': String(WAIT_MS) },
    },
    { type: 'InProc', target: '', resultCode: '0', name: COSMOS_RETRY_WAIT },
    run,
  );
}

/** delivery uses 0.1 cores and, in the second half, 0.38, of 0.4; the gateway 0.2 without a limit. */
function metricItems(): Envelope[] {
  const seconds = (INVOICES * INVOICE_INTERVAL_MS) / 1000;
  return Array.from({ length: seconds }, (_, second) => {
    const at = START_MS + second * 1000 + 500;
    const busy = second >= seconds / 2;
    return [
      metric({ role: ROLES.delivery, at, name: METRICS.cpuUsedCores, value: busy ? 0.38 : 0.1 }),
      metric({ role: ROLES.delivery, at, name: METRICS.cpuLimitCores, value: 0.4 }),
      metric({ role: ROLES.delivery, at, name: METRICS.cpuPeriods, value: 10 }),
      metric({ role: ROLES.delivery, at, name: METRICS.cpuThrottledPeriods, value: busy ? 6 : 0 }),
      metric({ role: ROLES.gateway, at, name: METRICS.cpuUsedCores, value: 0.2 }),
    ];
  }).flat();
}

function item(type: string, input: { role: string; at: number; tags?: object }, baseData: object): Envelope {
  return {
    ...{ ver: 1, name: `Microsoft.ApplicationInsights.${type}`, sampleRate: 100 },
    time: new Date(input.at).toISOString(),
    iKey: '00000000-0000-0000-0000-000000000001',
    tags: { 'ai.cloud.role': input.role, 'ai.cloud.roleInstance': `${input.role}-1`, ...input.tags },
    data: { baseType: type, baseData: { ver: 2, ...baseData } },
  };
}

function operationItem(
  type: string,
  input: SpanInput,
  rest: { run: SyntheticRun; baseData: object },
): Envelope {
  const { operation, operationId: id, parentId } = input;
  const tags = {
    ...{ 'ai.operation.id': id, 'ai.operation.name': operation },
    ...(parentId === '' ? {} : { 'ai.operation.parentId': parentId }),
  };
  const data = {
    id: input.id,
    duration: span(input.ms),
    properties: input.properties ?? {},
    ...rest.baseData,
  };
  return { ...item(type, { ...input, tags }, data), sampleRate: 100 / (rest.run.itemCount ?? 1) };
}

function request(input: SpanInput, run: SyntheticRun): Envelope {
  return operationItem('RequestData', input, {
    run,
    baseData: { name: input.operation, success: true, responseCode: '200', url: 'http://127.0.0.1/' },
  });
}

function dependency(
  input: SpanInput,
  call: { type: string; target: string; resultCode: string; name?: string },
  run: SyntheticRun,
): Envelope {
  const { type, target, resultCode, name = 'POST /dbs/invoicing/colls/utilization/docs' } = call;
  return operationItem('RemoteDependencyData', input, {
    run,
    baseData: { name, type, target, resultCode, success: resultCode !== '429' },
  });
}

function metric(input: { role: string; at: number; name: string; value: number }): Envelope {
  const { name, value } = input;
  return item('MetricData', input, {
    metrics: [{ name, kind: 'Aggregation', value, count: 1, min: value, max: value }],
  });
}

/** Writes items as a run's folder holds them. */
export function writeItems(items: readonly object[]): { folder: string } & Disposable {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lab-telemetry-'));
  mkdirSync(path.join(folder, 'telemetry'));
  const lines = [{ format: 'app-insights-telemetry', version: 1 }, items];
  writeFileSync(
    path.join(folder, 'telemetry', '000001.ndjson'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}

export const writeSyntheticRun = (run: SyntheticRun) => writeItems(syntheticItems(run));
