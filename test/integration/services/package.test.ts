import { OPERATIONS, packagesSummary } from '@bottleneck-lab/contracts';
import { createApp, settings } from '@bottleneck-lab/package';
import { startService } from '@bottleneck-lab/service-kit';
import { describe, expect, it } from 'vitest';
import { eventually } from '../service-kit/eventually.js';
import { startServer } from '../service-kit/http-server.js';
import { testConfig } from '../service-kit/service-under-test.js';
import { createContainers, startAccount, writePackages } from './cosmos-account.js';
import { dependencyTotals } from './dependencies.js';

const PATH = '/api/packages/summary?ownerId=o000042&year=2019&month=7';

async function start(env: Record<string, string>) {
  const service = await startService({ name: 'package', createApp, config: testConfig(settings, env) });
  return {
    ...service,
    async get(path = PATH) {
      const response = await fetch(service.url + path);
      return { status: response.status, body: await response.json() };
    },
    ready: async () => (await fetch(`${service.url}/-/ready`)).status === 200,
    async [Symbol.asyncDispose]() {
      await service.stop();
    },
  };
}

describe('GET /api/packages/summary', () => {
  it('is one point read of the owner and month', async () => {
    await using account = await startAccount();
    await writePackages(account.client, {
      ownerId: 'o000042',
      year: 2019,
      month: 7,
      count: 12,
      totalWeight: 34.5,
    });
    await writePackages(account.client, {
      ownerId: 'o000042',
      year: 2019,
      month: 8,
      count: 1,
      totalWeight: 1,
    });
    await using service = await start(account.env);
    await eventually(service.ready);
    const { status, body } = await service.get();
    expect(status).toBe(200);
    expect(packagesSummary.parse(body)).toEqual({ count: 12, totalWeight: 34.5 });
    const totals = await dependencyTotals(service, { operation: OPERATIONS.getPackagesSummary, requests: 1 });
    expect(Object.keys(totals)).toEqual(['Azure DocumentDB (point read) 200']);
    expect(totals['Azure DocumentDB (point read) 200']).toMatchObject({
      count: 1,
      retries: 0,
      requestCharge: 1,
    });
    expect(totals['Azure DocumentDB (point read) 200']?.partitions[0]).toMatch(/^\d+$/);
  });

  it('is a 404 naming the document when there is none', async () => {
    await using account = await startAccount();
    await using service = await start(account.env);
    await eventually(service.ready);
    const { status, body } = await service.get();
    expect(status).toBe(404);
    expect(body).toMatchObject({
      code: 'PACKAGES_NOT_FOUND',
      detail: 'There is no document o000042-2019-07',
    });
  });
});

describe('without its database', () => {
  it('starts, answers 503, and says that it is not ready', async () => {
    await using placeholder = await startServer(() => {});
    const { port } = placeholder;
    await placeholder[Symbol.asyncDispose]();
    const env = { COSMOS_ENDPOINT: `http://127.0.0.1:${port}`, COSMOS_KEY: 'YWJj' };
    await using service = await start(env);
    expect(await service.get()).toMatchObject({ status: 503, body: { code: 'COSMOS_UNREACHABLE' } });
    const report = service.runtime.health.report();
    expect(report.checks).toContainEqual(expect.objectContaining({ name: 'cosmos', ready: false }));
  });

  it('notices that the account goes away under traffic, and that it is back', async () => {
    const account = await startAccount();
    const { port } = account.emulator;
    await using service = await start(account.env);
    await eventually(service.ready);
    await account[Symbol.asyncDispose]();
    expect((await service.get()).status).toBe(503);
    expect(await service.ready()).toBe(false);
    expect(service.runtime.health.report().checks[0]?.reason).toContain('ECONNREFUSED');
    await using back = await startAccount({ port, create: false });
    await eventually(() => service.runtime.health.report().checks[0]?.reason.includes('does not exist'));
    await createContainers(back.client);
    await eventually(service.ready);
  });

  it('says that the key is refused', async () => {
    await using account = await startAccount();
    await using service = await start({
      ...account.env,
      COSMOS_KEY: Buffer.from('another').toString('base64'),
    });
    const reason = await eventually(() => {
      const { reason } = service.runtime.health.report().checks[0] ?? { reason: '' };
      return reason.includes('401') && reason;
    });
    expect(reason).toContain('Cosmos DB answered 401');
    expect(await service.get()).toMatchObject({ status: 503, body: { code: 'COSMOS_REFUSED' } });
  });
});
