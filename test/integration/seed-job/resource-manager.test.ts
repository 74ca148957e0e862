import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Container } from '@azure/cosmos';
import { afterEach, describe, expect, it } from 'vitest';
import { resourceManagerThroughput } from '../../../lab/src/seed-job/resource-manager.js';

const ACCOUNT = '/subscriptions/s/resourceGroups/g/providers/Microsoft.DocumentDB/databaseAccounts/account';
const container = { id: 'utilization' } as Container;
let server: http.Server;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

interface Resource {
  throughput?: number;
  autoscaleSettings?: object;
  offerReplacePending?: string;
}

/** Answers as Azure Resource Manager documents it: a change is accepted first and done some requests later. */
async function startManager(resource: Resource, options: { status?: number } = {}) {
  const calls: string[] = [];
  let pendingReads = 0;
  server = http.createServer((req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      calls.push(`${req.method} ${req.url} ${req.headers.authorization}`);
      if (options.status !== undefined) return res.writeHead(options.status).end('AuthorizationFailed');
      if (req.method === 'PUT') {
        Object.assign(resource, JSON.parse(Buffer.concat(chunks).toString()).properties.resource);
        pendingReads = 2;
        return res.writeHead(202).end();
      }
      pendingReads -= 1;
      const offerReplacePending = pendingReads > 0 ? 'true' : 'false';
      return res.end(JSON.stringify({ properties: { resource: { ...resource, offerReplacePending } } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const throughput = resourceManagerThroughput({
    accountId: ACCOUNT,
    credential: { getToken: async (scope) => ({ token: `token for ${scope}` }) },
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    pollEveryMs: 1,
  });
  return { calls, throughput };
}

describe('throughput through Azure Resource Manager', () => {
  it('sets it with a token, and waits until the replacement is done', async () => {
    const { calls, throughput } = await startManager({ throughput: 54_000 });
    expect(await throughput.set(container, 900)).toBe(true);
    expect(await throughput.read(container)).toBe(900);
    const path = `${ACCOUNT}/sqlDatabases/invoicing/containers/utilization/throughputSettings/default`;
    expect(calls[0]).toBe(
      `GET ${path}?api-version=2024-11-15 Bearer token for https://management.azure.com/.default`,
    );
    expect(calls.map((call) => call.split(' ')[0])).toEqual(['GET', 'PUT', 'GET', 'GET', 'GET']);
  });

  it('sends nothing when it is so already', async () => {
    const { calls, throughput } = await startManager({ throughput: 900 });
    expect(await throughput.set(container, 900)).toBe(false);
    expect(calls).toHaveLength(1);
  });

  it('refuses containers that scale automatically, and reports what Azure refuses', async () => {
    const { throughput } = await startManager({
      throughput: 1000,
      autoscaleSettings: { maxThroughput: 1000 },
    });
    await expect(throughput.read(container)).rejects.toThrow('no manual throughput');
    server.close();
    const refused = await startManager({}, { status: 403 });
    await expect(refused.throughput.set(container, 900)).rejects.toThrow(
      'reading the throughput of container utilization failed with status 403: AuthorizationFailed',
    );
  });
});
