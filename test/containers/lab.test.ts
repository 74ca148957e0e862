import { DEPENDENCY_TYPES, OPERATIONS, type ServiceName } from '@bottleneck-lab/contracts';
import { beforeAll, expect, it } from 'vitest';
import { query } from '../integration/app-insights/running-emulator.js';
import { eventually } from '../integration/service-kit/eventually.js';
import { closedLoop } from './closed-loop.js';
import { docker, inspect, mustDocker } from './docker.js';
import { DELIVERIES, describeContainers, get, INVOICE, type LabContainer, rows, seed, tell } from './lab.js';

interface ProcessRow {
  second: number;
  cpuMs: number;
  cpuLimitCores: number | null;
  cpuLimitSource: string;
  throttledPeriods: number;
  throttledMs: number;
}

/** Long enough for a busy machine, short against the default of 10 s. */
const DEADLINE_MS = 2_000;
const PATIENCE_MS = 60_000;
const CONNECTION_STRING =
  'InstrumentationKey=00000000-0000-0000-0000-000000000001;' +
  'IngestionEndpoint=http://app-insights-emulator:4319/;LiveEndpoint=http://app-insights-emulator:4319/';

describeContainers('the lab in containers', (lab) => {
  let cosmos: LabContainer;
  let services: Record<ServiceName, LabContainer>;
  const invoice = () => get(services.gateway, INVOICE);
  const answersAgain = () => eventually(async () => (await invoice()).status === 200, PATIENCE_MS);

  beforeAll(async () => {
    cosmos = await lab.startCosmos();
    services = await lab.startServices({ gateway: { env: { BACKEND_DEADLINE_MS: String(DEADLINE_MS) } } });
  }, 180_000);

  it('is healthy by its own check, and answers an invoice from all three services', async () => {
    for (const container of [cosmos, ...Object.values(services)]) {
      expect(await inspect(container.id, '.State.Health.Status')).toBe('healthy');
    }
    const { status, body } = await invoice();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      deliveries: { count: expect.any(Number) },
      drones: { traveledMiles: 3, assignedHours: 2 },
      packages: { count: 4, totalWeight: 9 },
    });
  });

  it('needs no file that it could write to', async () => {
    for (const container of [cosmos, ...Object.values(services)]) {
      const write = await docker([
        ...['exec', container.id, 'node', '-e'],
        `require('node:fs').writeFileSync('/tmp/x', '')`,
      ]);
      expect(write.code).not.toBe(0);
      expect(write.output).toContain('EROFS');
    }
  });

  it('answers 504 with the name of a backend that stands still, and recovers', async () => {
    await tell('pause', services.delivery);
    try {
      const { status, body } = await invoice();
      expect(status).toBe(504);
      expect(body).toMatchObject({ code: 'INVOICE_BACKEND_LATE' });
      expect(JSON.stringify(body)).toContain('delivery');
    } finally {
      await tell('unpause', services.delivery);
    }
    await answersAgain();
  });

  it('fails without Cosmos DB as long as it is gone, says so, and answers when it is back', async () => {
    await tell('kill', cosmos);
    const { status, body } = await invoice();
    expect(status).toBeGreaterThanOrEqual(502);
    expect(JSON.stringify(body)).toMatch(/package|drone-utilization/);
    const ready = (name: ServiceName) => get(services[name], '/-/ready', 9090);
    await eventually(async () => (await ready('package')).status === 503, PATIENCE_MS);
    expect((await ready('delivery')).status).toBe(200);
    await tell('start', cosmos);
    await eventually(async () => (await get(cosmos, '/_emulator/health', 8081).catch(() => null)) !== null);
    // It keeps its account in memory, so it comes back empty.
    await seed(cosmos);
    await eventually(async () => (await ready('package')).status === 200, PATIENCE_MS);
    await answersAgain();
  });

  it('drains on SIGTERM: under load no request fails, and the program ends with 0', async () => {
    const load = closedLoop({ url: `http://${await services.gateway.address()}:8080${INVOICE}`, users: 8 });
    await eventually(() => load.answered() >= 50, PATIENCE_MS);
    const stopping = mustDocker('stop', '--time', '30', services.gateway.id);
    const outcome = await load.outcome;
    await stopping;
    expect(outcome.failures).toEqual([]);
    expect(outcome.answered).toBeGreaterThan(50);
    expect(await inspect(services.gateway.id, '.State.ExitCode')).toBe(0);
    expect((await docker(['logs', services.gateway.id])).output).toContain('"msg":"stopped"');
  });
});

describeContainers('a CPU limit of the container', (lab) => {
  it('holds, is seen in the statistics, and is followed when it changes', async () => {
    const delivery = await lab.start('delivery', { cpu: 0.3 });
    const load = closedLoop({ url: `http://${await delivery.address()}:8080${DELIVERIES}`, users: 16 });
    const busy = (cores: number) => async () => {
      const all = await rows<ProcessRow>(delivery, 'process');
      const limited = all.filter((row) => row.cpuLimitCores === cores && row.throttledPeriods >= 5);
      return limited.length >= 4 && limited;
    };
    try {
      const limited = await eventually(busy(0.3), PATIENCE_MS);
      for (const row of limited) expect(row).toMatchObject({ cpuLimitSource: 'cgroup' });
      const used = limited.reduce((sum, row) => sum + row.cpuMs, 0) / limited.length;
      // The check of health, asked every second here, runs under the same limit and takes a part of it.
      expect(used).toBeGreaterThan(100);
      // A second holds ten periods, and may hold a part of an eleventh.
      expect(used).toBeLessThan(345);
      expect(limited.reduce((sum, row) => sum + row.throttledMs, 0)).toBeGreaterThan(0);
      await mustDocker('update', '--cpus', '0.5', delivery.id);
      await eventually(busy(0.5), PATIENCE_MS);
    } finally {
      await load.stop();
    }
    expect((await load.outcome).failures).toEqual([]);
  });
});

describeContainers('telemetry of containers', (lab) => {
  it('arrives at the Application Insights stand-in, from every role, and is found by a query', async () => {
    const [receiver] = await Promise.all([lab.start('app-insights-emulator'), lab.startCosmos()]);
    const env = {
      APPLICATIONINSIGHTS_CONNECTION_STRING: CONNECTION_STRING,
      TELEMETRY_ALLOW_HTTP: 'true',
    };
    const services = await lab.startServices({
      ...{ gateway: { env }, delivery: { env }, package: { env }, 'drone-utilization': { env } },
    });
    const endpoint = `http://${await receiver.address()}:4319`;
    expect((await get(services.gateway, INVOICE)).status).toBe(200);
    const found = await eventually(async () => {
      const answered = await query({ endpoint }, 'requests | summarize n = count() by name, cloud_RoleName');
      return answered.length === 4 && answered;
    }, PATIENCE_MS);
    expect(new Set(found.map((row) => row.name))).toEqual(new Set(Object.values(OPERATIONS)));
    const [queries] = await query(
      { endpoint },
      `dependencies | where type == '${DEPENDENCY_TYPES.documentQuery}' | count`,
    );
    expect(queries).toEqual({ Count: 9 });
  });
});
