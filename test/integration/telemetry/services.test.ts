import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import {
  CONTAINERS,
  COSMOS_RETRY_WAIT,
  DEPENDENCY_TYPES,
  METRICS,
  OPERATIONS,
  ROLES,
} from '@bottleneck-lab/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { query } from '../app-insights/running-emulator.js';
import { eventually } from '../service-kit/eventually.js';
import { bundlePrograms, type ObservedLab, type Programs, startObservedLab } from './observed-lab.js';

type Receiver = Awaited<ReturnType<typeof startAppInsightsEmulator>>;

const INVOICES = 5;

const toApplicationInsights = ({ connectionString }: Receiver) => ({
  APPLICATIONINSIGHTS_CONNECTION_STRING: connectionString,
});
const overOtlp = ({ endpoint }: Receiver) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint });

let bundleFolder: string | undefined;
let bundling: Promise<Programs> | undefined;

/** Made once for all that need them. */
function bundled(): Promise<Programs> {
  bundleFolder ??= mkdtempSync(path.join(os.tmpdir(), 'bundles-'));
  bundling ??= bundlePrograms(bundleFolder);
  return bundling;
}

afterAll(() => {
  if (bundleFolder !== undefined) rmSync(bundleFolder, { recursive: true, force: true });
});

/** As they are started on a machine, and bundled as they are in the images. */
const PATHS = [
  ['Application Insights', toApplicationInsights, 'installed'],
  ['OTLP', overOtlp, 'installed'],
  ['Application Insights, bundled', toApplicationInsights, 'bundled'],
  ['OTLP, bundled', overOtlp, 'bundled'],
] as const;

/** All four services as processes, their telemetry taken in by the stand-in, read with the queries a participant writes. */
describe.each(PATHS)('the services through %s', (_, environment, form) => {
  let receiver: Receiver;
  let lab: ObservedLab;
  const ask = (text: string) => query(receiver, text);

  beforeAll(async () => {
    receiver = await startAppInsightsEmulator();
    const programs = form === 'bundled' ? await bundled() : undefined;
    lab = await startObservedLab({ ...environment(receiver), LOG_LEVEL: 'info' }, programs);
    for (let i = 0; i < INVOICES; i += 1) expect(await lab.getInvoice()).toBe(200);
    // One more, whose first partition query is answered 429 twice.
    await lab.account.injectFault({
      ...{ action: '429', operations: ['query'], container: CONTAINERS.utilizationByDelivery.id },
      ...{ count: 2, retryAfterMs: 30 },
    });
    expect(await lab.getInvoice()).toBe(200);
    const invoices = INVOICES + 1;
    // Each service delivers on its own, and its metrics apart from its spans.
    await eventually(async () => {
      const arrived = await ask(`union
        (requests | summarize n = count() by what = 'requests'),
        (dependencies | where type == '${DEPENDENCY_TYPES.http}' | summarize n = count() by what = 'calls'),
        (dependencies | where type == '${DEPENDENCY_TYPES.documentQuery}' | summarize n = count() by what = 'attempts'),
        (dependencies | where type == '${DEPENDENCY_TYPES.pointRead}' | summarize n = count() by what = 'reads'),
        (customMetrics | where name == '${METRICS.cosmosRequestUnits}' and customDimensions.type == '${DEPENDENCY_TYPES.documentQuery}'
          | summarize n = tolong(sum(valueCount)) by what = 'metered')`);
      const { requests, calls, attempts, reads, metered } = Object.fromEntries(
        arrived.map(({ what, n }) => [what, n]),
      );
      const queries = invoices * 9 + 2;
      return (
        requests === 4 * invoices &&
        calls === 3 * invoices &&
        reads === invoices &&
        attempts === queries &&
        metered === queries
      );
    });
  });

  afterAll(async () => {
    await lab?.[Symbol.asyncDispose]();
    await receiver?.stop();
  });

  it('has requests, dependencies, logs and metrics of every role that has them', async () => {
    // delivery calls nobody.
    const callers = Object.values(ROLES).filter((role) => role !== ROLES.delivery);
    const expected = [
      ...['requests', 'traces', 'customMetrics'].flatMap((table) =>
        Object.values(ROLES).map((role) => `${table} ${role}`),
      ),
      ...callers.map((role) => `dependencies ${role}`),
    ];
    expect(expected).toHaveLength(15);
    await eventually(async () => {
      const counts = await ask(`union withsource = table requests, dependencies, traces, customMetrics
        | summarize by key = strcat(table, ' ', cloud_RoleName)`);
      const present = counts.map((row) => row.key);
      return expected.every((key) => present.includes(key));
    });
  });

  it('names the operations exactly, as many times as they were asked for', async () => {
    const rows = await ask(
      'requests | summarize n = sum(itemCount), failed = countif(success != "True") by cloud_RoleName, name, operation_Name',
    );
    const expected = [
      [ROLES.gateway, OPERATIONS.getInvoice],
      [ROLES.delivery, OPERATIONS.getDeliveriesSummary],
      [ROLES.package, OPERATIONS.getPackagesSummary],
      [ROLES['drone-utilization'], OPERATIONS.getDroneUtilization],
    ].map(([cloud_RoleName, name]) => ({
      cloud_RoleName,
      name,
      operation_Name: name,
      n: INVOICES + 1,
      failed: 0,
    }));
    expect(rows).toHaveLength(4);
    expect(rows).toEqual(expect.arrayContaining(expected));
  });

  it('has one root per invoice, three calls below it, each answered by its service', async () => {
    const roots = await ask(`requests | where operation_ParentId == '' | summarize n = count() by name`);
    expect(roots).toEqual([{ name: OPERATIONS.getInvoice, n: INVOICES + 1 }]);
    const edges = await ask(`requests | where operation_ParentId == ''
      | join kind=inner (dependencies | project operation_ParentId, call = id, target, type) on $left.id == $right.operation_ParentId
      | join kind=inner (requests | project operation_ParentId, callee = cloud_RoleName) on $left.call == $right.operation_ParentId
      | summarize n = count() by target, callee, type`);
    expect(edges).toHaveLength(3);
    for (const role of [ROLES.delivery, ROLES.package, ROLES['drone-utilization']]) {
      expect(edges).toContainEqual({
        target: role,
        callee: role,
        type: DEPENDENCY_TYPES.http,
        n: INVOICES + 1,
      });
    }
  });

  it('has every Cosmos DB attempt below its operation, of the right type, and no other', async () => {
    const rows = await ask(`dependencies | where type startswith 'Azure DocumentDB'
      | join kind=inner (requests | project id, parent = name) on $left.operation_ParentId == $right.id
      | summarize n = count() by parent, operation_Name, type, resultCode`);
    const drones = { parent: OPERATIONS.getDroneUtilization, operation_Name: OPERATIONS.getDroneUtilization };
    const packages = { parent: OPERATIONS.getPackagesSummary, operation_Name: OPERATIONS.getPackagesSummary };
    const invoices = INVOICES + 1;
    expect(rows).toContainEqual({
      ...drones,
      type: DEPENDENCY_TYPES.documentQuery,
      resultCode: '200',
      n: invoices * 9,
    });
    expect(rows).toContainEqual({ ...drones, type: DEPENDENCY_TYPES.documentQuery, resultCode: '429', n: 2 });
    expect(rows).toContainEqual({
      ...packages,
      type: DEPENDENCY_TYPES.pointRead,
      resultCode: '200',
      n: invoices,
    });
    const types = new Set(rows.map((row) => row.type));
    expect(types).toEqual(
      new Set([DEPENDENCY_TYPES.documentQuery, DEPENDENCY_TYPES.metadata, DEPENDENCY_TYPES.pointRead]),
    );
    const [all] = await ask(`dependencies | where type startswith 'Azure DocumentDB' | count`);
    expect(all?.Count).toBe(rows.reduce((sum, row) => sum + (row.n as number), 0));
  });

  it('says of each attempt what it cost, where it went and which one it was', async () => {
    const rows = await ask(`dependencies | where type == '${DEPENDENCY_TYPES.documentQuery}'
      | project resultCode, success, charge = todouble(customDimensions['CosmosDb.RequestCharge']),
          partition = tostring(customDimensions['CosmosDb.PartitionKeyRangeId']), attempt = toint(customDimensions['CosmosDb.Attempt']),
          substatus = tostring(customDimensions['CosmosDb.SubStatus']), wait = toint(customDimensions['CosmosDb.RetryAfterMs']), target`);
    const answered = rows.filter((row) => row.resultCode === '200');
    expect(new Set(answered.map((row) => row.partition)).size).toBe(9);
    for (const row of answered) {
      expect(row.success).toBe('True');
      expect(row.charge).toBeGreaterThan(2);
      expect(row.target).toMatch(/^127\.0\.0\.1:\d+\|invoicing$/);
    }
    const refused = rows.filter((row) => row.resultCode === '429');
    for (const row of refused) expect(row).toMatchObject({ success: 'False', substatus: '3200', wait: 30 });
    const attempts = rows.map((row) => row.attempt as number);
    expect(attempts.filter((attempt) => attempt > 1).length).toBe(refused.length);
    const reads = await ask(`dependencies | where type == '${DEPENDENCY_TYPES.pointRead}'
      | summarize by partition = tostring(customDimensions['CosmosDb.PartitionKeyRangeId']), key = tostring(customDimensions['CosmosDb.PartitionKey'])`);
    expect(reads).toEqual([{ partition: expect.stringMatching(/^\d$/), key: '["o000042"]' }]);
  });

  it('shows the wait between attempts as a part of the operation that is no partition query', async () => {
    const waits = await ask(`dependencies | where name == '${COSMOS_RETRY_WAIT}'
      | join kind=inner (requests | project id, parent = name) on $left.operation_ParentId == $right.id
      | project type, duration, operation_Name, parent, asked = toint(customDimensions['CosmosDb.RetryAfterMs'])`);
    expect(waits).toHaveLength(2);
    for (const wait of waits) {
      expect(wait).toMatchObject({
        type: 'InProc',
        parent: OPERATIONS.getDroneUtilization,
        operation_Name: OPERATIONS.getDroneUtilization,
        asked: 30,
      });
      expect(wait.duration).toBeGreaterThanOrEqual(25);
    }
  });

  it('copies run, scenario and step to every span', async () => {
    const spans = await ask(`union requests, dependencies
      | summarize n = count() by run = tostring(customDimensions['lab.run']), scenario = tostring(customDimensions['lab.scenario']), step = tostring(customDimensions['lab.step'])`);
    expect(spans).toEqual([{ run: 'run-1', scenario: 'throttled', step: '3', n: expect.any(Number) }]);
  });

  it('leaves out probes, and calls that belong to no operation', async () => {
    expect(await ask(`requests | where url contains '/-/' | count`)).toEqual([{ Count: 0 }]);
    expect(
      await ask(`dependencies | where target has '169.254.169.254' or operation_ParentId == '' | count`),
    ).toEqual([{ Count: 0 }]);
  });

  it('counts request units and 429s as metrics, equal to those of the attempts', async () => {
    const [units] =
      await ask(`customMetrics | where name == '${METRICS.cosmosRequestUnits}' and customDimensions.type == '${DEPENDENCY_TYPES.documentQuery}'
      | summarize total = sum(valueSum), attempts = sum(valueCount)`);
    const [attempts] = await ask(`dependencies | where type == '${DEPENDENCY_TYPES.documentQuery}'
      | summarize total = sum(todouble(customDimensions['CosmosDb.RequestCharge'])), attempts = count()`);
    expect(units?.total).toBeCloseTo(attempts?.total as number, 6);
    expect(units?.attempts).toBe(attempts?.attempts);
    const [throttled] = await ask(
      `customMetrics | where name == '${METRICS.cosmosThrottled}' | summarize total = sum(valueSum)`,
    );
    expect(throttled).toEqual({ total: 2 });
    expect(
      await ask(
        `customMetrics | where name == '${METRICS.eventLoopUtilization}' | summarize by cloud_RoleName | count`,
      ),
    ).toEqual([{ Count: 4 }]);
  });

  it('reports the CPU of every role, and its limit where it has one', async () => {
    const rows = await eventually(async () => {
      const found = await ask(`customMetrics | where name startswith 'process.cpu.'
        | summarize highest = max(value), total = sum(valueSum) by cloud_RoleName, name`);
      const roles = found.filter((row) => row.name === METRICS.cpuUsedCores);
      return (
        roles.length === 4 && found.some((row) => row.name === METRICS.cpuPeriods && row.total !== 0) && found
      );
    });
    const of = (name: string) =>
      rows.find((row) => row.name === name && row.cloud_RoleName === ROLES.delivery);
    expect(of(METRICS.cpuLimitCores)?.highest).toBe(0.9);
    expect(of(METRICS.cpuLimitUtilization)?.highest).toBeGreaterThan(0);
    expect(of(METRICS.cpuPeriods)?.total).toBeGreaterThan(0);
    const limited = rows.filter((row) => row.name === METRICS.cpuLimitCores).map((row) => row.cloud_RoleName);
    expect(limited).toContain(ROLES.delivery);
  });

  it('reports a failure as an exception under its request, with run and step', async () => {
    await lab.services.delivery.stop();
    expect(await lab.getInvoice()).toBe(502);
    const rows = await eventually(async () => {
      const found = await ask(`exceptions | where cloud_RoleName == '${ROLES.gateway}'
        | join kind=inner (requests | where cloud_RoleName == '${ROLES.gateway}') on operation_Id
        | project type, request = name, resultCode, below = operation_ParentId == id, operation_Name,
            run = tostring(customDimensions['lab.run']), step = tostring(customDimensions['lab.step'])`);
      return found.some(({ type }) => type === 'ServiceError') && found;
    });
    // Beside what the calls' own spans say, the line that the service logged.
    expect(rows).toContainEqual({
      ...{ type: 'ServiceError', request: OPERATIONS.getInvoice, operation_Name: OPERATIONS.getInvoice },
      ...{ resultCode: '502', below: true, run: 'run-1', step: '3' },
    });
  });

  it('delivers what there is when the services stop', async () => {
    const asked = 4;
    for (let i = 0; i < asked; i += 1) await lab.getInvoice({ baggage: 'lab.run=last' });
    await lab.stop();
    const [row] = await ask(
      `requests | where name == '${OPERATIONS.getInvoice}' and customDimensions['lab.run'] == 'last' | count`,
    );
    expect(row?.Count).toBe(asked);
    for (const { output } of Object.values(lab.services)) expect(output()).not.toMatch(/telemetry: .* lost/);
  });
});
