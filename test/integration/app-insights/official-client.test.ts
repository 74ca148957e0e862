import { LogsQueryClient, LogsQueryResultStatus } from '@azure/monitor-query-logs';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { event, track } from './running-emulator.js';

const RESOURCE = '/subscriptions/s/resourceGroups/r/providers/Microsoft.Insights/components/live';
const LAST_HOUR = { duration: 'PT1H' };

function clientOf(endpoint: string): LogsQueryClient {
  const credential = {
    getToken: async () => ({ token: 'local', expiresOnTimestamp: Date.now() + 3_600_000 }),
  };
  const client = new LogsQueryClient(credential, {
    endpoint: `${endpoint}/v1`,
    allowInsecureConnection: true,
  });
  // It refuses to send a token without TLS, which a stand-in on loopback has none of.
  client.pipeline.removePolicy({ name: 'bearerTokenAuthenticationPolicy' });
  return client;
}

describe('@azure/monitor-query-logs', () => {
  it('queries a workspace and a resource, with types, statistics and visualization', async () => {
    await using emulator = await startAppInsightsEmulator();
    await track(emulator, [event('a', { k: 'v' })]);
    const client = clientOf(emulator.endpoint);
    const text = 'customEvents | project timestamp, name, customDimensions, itemCount | render table';
    const options = { includeQueryStatistics: true, includeVisualization: true };
    for (const result of [
      await client.queryWorkspace('live', text, LAST_HOUR, options),
      await client.queryResource(RESOURCE, text, LAST_HOUR, options),
    ]) {
      expect(result.status).toBe(LogsQueryResultStatus.Success);
      if (result.status !== LogsQueryResultStatus.Success) throw new Error('not successful');
      const [table] = result.tables;
      expect(table?.columnDescriptors.map(({ name, type }) => `${name}:${type}`)).toEqual([
        'timestamp:datetime',
        'name:string',
        'customDimensions:dynamic',
        'itemCount:int',
      ]);
      expect(table?.rows[0]).toEqual([expect.any(Date), 'a', { k: 'v' }, 1]);
      expect(result.statistics).toMatchObject({ query: { executionTime: expect.any(Number) } });
      expect(result.visualization).toMatchObject({ visualization: 'table' });
    }
  });

  it('queries in a batch, each with its own outcome', async () => {
    await using emulator = await startAppInsightsEmulator();
    await track(emulator, [event('a')]);
    const results = await clientOf(emulator.endpoint).queryBatch([
      { workspaceId: 'live', query: 'customEvents | count', timespan: LAST_HOUR },
      { workspaceId: 'live', query: 'nothing | count', timespan: LAST_HOUR },
    ]);
    expect(results[0]).toMatchObject({ status: LogsQueryResultStatus.Success, tables: [{ rows: [[1]] }] });
    // The client calls every failure inside a batch a partial one.
    expect(results[1]).toMatchObject({
      status: LogsQueryResultStatus.PartialFailure,
      partialTables: [],
      partialError: { code: 'BadArgumentError' },
    });
  });

  it('rejects with the code and the place of a bad query', async () => {
    await using emulator = await startAppInsightsEmulator();
    const failed = clientOf(emulator.endpoint).queryWorkspace('live', 'requests | where nme == 1', LAST_HOUR);
    await expect(failed).rejects.toMatchObject({ statusCode: 400, code: 'BadArgumentError' });
  });
});
