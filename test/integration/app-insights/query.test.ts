import path from 'node:path';
import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { event, KEY, type QueryReply, query, send, temporaryFolder, track } from './running-emulator.js';

interface QueryErrorReply {
  error: {
    code: string;
    message: string;
    innererror?: { code: string; message: string; line: number; pos: number };
  };
}

const post = <T = QueryReply>(url: string, body: unknown, headers: Record<string, string> = {}) =>
  send<T>(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

const at = (minute: number) => new Date(Date.UTC(2026, 0, 2, 3, minute)).toISOString();
const timed = (name: string, minute: number) => ({
  ...event(name, { minute: String(minute) }),
  time: at(minute),
});

describe('the query API', () => {
  it('answers with tables, columns and rows of the documented types', async () => {
    await using emulator = await startAppInsightsEmulator();
    await track(emulator, [timed('a', 1)]);
    const text =
      'customEvents | project timestamp, name, customDimensions, itemCount, d = 1.5, s = 90s, b = true';
    const { status, body } = await post(`${emulator.endpoint}/v1/apps/live/query`, { query: text });
    expect(status).toBe(200);
    expect(body).toEqual({
      tables: [
        {
          name: 'PrimaryResult',
          columns: [
            { name: 'timestamp', type: 'datetime' },
            { name: 'name', type: 'string' },
            { name: 'customDimensions', type: 'dynamic' },
            { name: 'itemCount', type: 'int' },
            { name: 'd', type: 'real' },
            { name: 's', type: 'timespan' },
            { name: 'b', type: 'bool' },
          ],
          rows: [['2026-01-02T03:01:00Z', 'a', '{"minute":"1"}', 1, 1.5, '00:01:30', true]],
        },
      ],
    });
  });

  it('answers the same by GET, by key, by workspace and by resource', async () => {
    await using emulator = await startAppInsightsEmulator({ instrumentationKey: KEY });
    await track(emulator, [event('a'), event('b')]);
    const text = 'customEvents | count';
    const base = emulator.endpoint;
    const replies = [
      await send<QueryReply>(`${base}/v1/apps/live/query?query=${encodeURIComponent(text)}`, {
        method: 'GET',
      }),
      await post(`${base}/v1/apps/${KEY}/query`, { query: text }),
      await post(`${base}/v1/workspaces/${KEY}/query`, { query: text }),
      await post(
        `${base}/v1//subscriptions/s/resourceGroups/r/providers/Microsoft.Insights/components/live/query`,
        { query: text },
      ),
    ];
    for (const { body } of replies) expect(body.tables[0]?.rows).toEqual([[2]]);
  });

  it.each([
    ['2026-01-02T03:02:00Z/2026-01-02T03:04:00Z', ['b', 'c']],
    ['2026-01-02T03:02:00Z/PT1M', ['b']],
    ['PT2M/2026-01-02T03:03:00Z', ['a', 'b']],
  ])('sees only rows inside the timespan %s', async (timespan, names) => {
    await using emulator = await startAppInsightsEmulator();
    await track(emulator, [timed('a', 1), timed('b', 2), timed('c', 3), timed('d', 4)]);
    const body = { query: 'customEvents | order by name asc | project name', timespan };
    const reply = await post(`${emulator.endpoint}/v1/apps/live/query`, body);
    expect(reply.body.tables[0]?.rows.flat()).toEqual(names);
  });

  it('takes a duration as the time up to now', async () => {
    await using emulator = await startAppInsightsEmulator();
    await track(emulator, [event('new'), timed('old', 1)]);
    const body = { query: 'customEvents | project name', timespan: 'P1D' };
    expect((await post(`${emulator.endpoint}/v1/apps/live/query`, body)).body.tables[0]?.rows).toEqual([
      ['new'],
    ]);
  });

  it.each([
    ['a syntax error', { query: 'requests | where (' }, 400, 'BadArgumentError', 'SyntaxError'],
    ['an unknown column', { query: 'requests | where nme == 1' }, 400, 'BadArgumentError', 'SemanticError'],
    ['no query', {}, 400, 'BadArgumentError', undefined],
    ['a query that is no text', { query: 5 }, 400, 'BadArgumentError', undefined],
    ['a bad timespan', { query: 'requests', timespan: 'soon' }, 400, 'BadArgumentError', undefined],
    ['garbage', '{"query":', 400, 'BadArgumentError', undefined],
    ['a list', '[]', 400, 'BadArgumentError', undefined],
  ])('refuses %s', async (_, body, status, code, inner) => {
    await using emulator = await startAppInsightsEmulator();
    const reply = await post<QueryErrorReply>(`${emulator.endpoint}/v1/apps/live/query`, body);
    expect(reply.status).toBe(status);
    expect(reply.body.error.code).toBe(code);
    expect(reply.body.error.innererror?.code).toBe(inner);
    if (inner === 'SemanticError') {
      expect(reply.body.error.innererror).toMatchObject({
        line: 1,
        message: expect.stringContaining("'nme'"),
      });
    }
  });

  it('knows no other application', async () => {
    await using folder = await temporaryFolder();
    await using emulator = await startAppInsightsEmulator({ runsDirectory: folder.path });
    for (const id of ['other', '..%2F..%2Fetc', '%00']) {
      const reply = await post<QueryErrorReply>(`${emulator.endpoint}/v1/apps/${id}/query`, {
        query: 'requests',
      });
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'ApplicationNotFoundError' } } });
    }
  });

  it('gives visualization and statistics when asked to', async () => {
    await using emulator = await startAppInsightsEmulator();
    await track(emulator, [timed('a', 1)]);
    const body = { query: 'customEvents | summarize count() by bin(timestamp, 1m) | render timechart' };
    const prefer = { prefer: 'wait=30,include-statistics=true,include-render=true' };
    const reply = await post<Record<string, unknown>>(
      `${emulator.endpoint}/v1/apps/live/query`,
      body,
      prefer,
    );
    expect(reply.body).toMatchObject({
      render: { visualization: 'timechart' },
      statistics: { query: { executionTime: expect.any(Number) } },
    });
  });

  it('ends a query that takes too long, and goes on taking telemetry in', async () => {
    await using emulator = await startAppInsightsEmulator({ query: { timeoutMs: 10 } });
    const batch = Array.from({ length: 2000 }, (_, i) => event(`e${i}`));
    await track(emulator, batch);
    const body = {
      query: `let t = customEvents | extend k = 1; t | join kind=inner t on k | join kind=inner t on k | count`,
    };
    const reply = await post<QueryErrorReply>(`${emulator.endpoint}/v1/apps/live/query`, body);
    expect(reply).toMatchObject({
      status: 400,
      body: { error: { innererror: { code: 'QueryLimitExceeded' } } },
    });
    expect(reply.body.error.innererror?.message).toMatch(/longer than timeoutMs = 10/);
    expect((await track(emulator, batch)).status).toBe(200);
  });

  it('lets no query take longer than senders can wait while a run is recorded', async () => {
    await using folder = await temporaryFolder();
    await using emulator = await startAppInsightsEmulator({
      runsDirectory: folder.path,
      query: { timeoutMs: 1500 },
    });
    const endless = { query: 'range x from 1 to 100000000000 step 1 | count' };
    const limit = async () => {
      const reply = await post<QueryErrorReply>(`${emulator.endpoint}/v1/apps/live/query`, endless);
      return /timeoutMs = (\d+)/.exec(reply.body.error.innererror?.message ?? '')?.[1];
    };
    await emulator.startRecording('run-1');
    expect(await limit()).toBe('1000');
    await emulator.stopRecording('run-1');
    expect(await limit()).toBe('1500');
  });

  it.each(['wait=0', 'wait=99999999999999999999', 'wait=x'])('takes any "Prefer: %s"', async (prefer) => {
    await using emulator = await startAppInsightsEmulator();
    const url = `${emulator.endpoint}/v1/apps/live/query`;
    const reply = await post<Partial<QueryErrorReply & QueryReply>>(url, { query: 'print 1' }, { prefer });
    if (prefer === 'wait=0') expect(reply.status).toBeLessThan(500);
    else expect(reply.body.tables?.[0]?.rows).toEqual([[1]]);
  });

  it('answers a run by its id: while it is recorded, and from disk after a restart', async () => {
    await using folder = await temporaryFolder();
    const names = async (emulator: { endpoint: string }) =>
      (await query(emulator, 'customEvents | project name', 'run-1')).map((row) => row.name);
    {
      await using emulator = await startAppInsightsEmulator({ runsDirectory: folder.path });
      await track(emulator, [timed('long ago', 1)]);
      await emulator.startRecording('run-1');
      await track(emulator, [timed('delivered late', 1), event('during')]);
      await track(emulator, [timed('delivered late', 1)]);
      expect(await names(emulator)).toEqual(['during']);
      await emulator.stopRecording('run-1');
      await track(emulator, [event('after')]);
      expect(await names(emulator)).toEqual(['during']);
    }
    await using restarted = await startAppInsightsEmulator({ runsDirectory: folder.path });
    expect(await names(restarted)).toEqual(['during']);
    expect(path.basename(folder.path)).not.toBe('run-1');
  });
});
