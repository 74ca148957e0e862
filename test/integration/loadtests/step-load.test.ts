import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LoadOutcome, type LoadSecond, STEP_LOAD_SCRIPT, startLoad } from '@bottleneck-lab/loadtests';
import { describe, expect, test } from 'vitest';
import { folder } from './script-command.js';
import { type Answer, answerInvoice, closedAddress, startTarget, type Target } from './target-server.js';

const DURATION_S = 4;

async function run(
  target: { url: string },
  env: Record<string, string> = {},
): Promise<{ outcome: LoadOutcome; live: LoadSecond[]; outDir: string }> {
  const outDir = join(folder(), 'load');
  const load = startLoad({
    engine: 'builtin',
    script: STEP_LOAD_SCRIPT,
    outDir,
    env: {
      BASE_URL: target.url,
      DURATION_S: String(DURATION_S),
      RUN_ID: 'run 1',
      SCENARIO: 'test-1',
      ...env,
    },
  });
  const live: LoadSecond[] = [];
  for await (const second of load.seconds) live.push(second);
  return { outcome: await load.outcome, live, outDir };
}

const answerAfter =
  (ms: number): Answer =>
  (request, response) =>
    void setTimeout(() => answerInvoice(request, response), ms);

/** Requests of the load, without the one of setup(). */
const loadOf = (target: Target) =>
  target.seen.filter(({ headers }) => !String(headers.baggage).endsWith('lab.step=setup'));

describe('the step load on the built-in engine', () => {
  test('passes, and its seconds, steps and summary agree with what the server saw', async () => {
    await using target = await startTarget(answerAfter(10));
    const { outcome, live, outDir } = await run(target);
    expect(outcome).toMatchObject({
      exitCode: 0,
      meaning: 'passed',
      detail: '',
      plannedSeconds: DURATION_S,
      engine: { name: 'builtin' },
    });
    const requests = loadOf(target).length;
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    expect(sum(outcome.seconds.map((second) => second.requests))).toBe(requests);
    expect(sum(outcome.steps.map((step) => step.requests))).toBe(requests);
    expect(sum(outcome.seconds.map((second) => second.durationsMs.length))).toBe(requests);
    expect(outcome.summary?.metrics['http_reqs{scenario:load}']?.values.count).toBe(requests);
    expect(outcome.summary?.checks.map(({ name, passes, fails }) => [name, passes, fails])).toEqual(
      ['status is 200', 'has deliveries', 'has drones', 'has packages'].map((name) => [name, requests, 0]),
    );
    expect(live).toEqual(outcome.seconds);
    expect(outcome.steps.map(({ step, seconds }) => [step, seconds])).toEqual(
      Array.from({ length: 8 }, (_, i) => [String(i + 1), DURATION_S / 8]),
    );
    expect(outcome.text).toContain('GET /api/invoices, profile article, 4 s');
    expect(readdirSync(outDir)).toEqual(['summary.json']);
    expect(JSON.parse(readFileSync(join(outDir, 'summary.json'), 'utf8'))).toMatchObject({
      exitCode: 0,
      meaning: 'passed',
    });
  });

  test('starts on a whole second, and users and rate grow', async () => {
    await using target = await startTarget(answerAfter(5));
    const { outcome } = await run(target);
    expect((outcome.loadStartMs ?? Number.NaN) % 1000).toBeLessThan(100);
    expect(outcome.seconds[0]?.second).toBe(Math.floor((outcome.loadStartMs ?? 0) / 1000));
    const [first, second, third, fourth] = outcome.seconds as [
      LoadSecond,
      LoadSecond,
      LoadSecond,
      LoadSecond,
    ];
    expect(fourth.users).toBeGreaterThan(second.users);
    expect(third.requests).toBeGreaterThan(first.requests);
    expect(outcome.steps[7]?.requests).toBeGreaterThan(
      outcome.steps[0]?.requests ?? Number.POSITIVE_INFINITY,
    );
  });

  test('asks for owners and months that exist, and says where it comes from', async () => {
    await using target = await startTarget();
    await run(target, { OWNERS: '20', MONTHS: '3', YEAR: '2018' });
    const owners = new Set<string>();
    for (const { method, url, headers } of target.seen) {
      expect(`${method} ${url.pathname}`).toBe('GET /api/invoices');
      expect([...url.searchParams.keys()]).toEqual(['ownerId', 'year', 'month']);
      expect(url.searchParams.get('ownerId')).toMatch(/^o0000[01]\d$/);
      expect(url.searchParams.get('year')).toBe('2018');
      expect(['1', '2', '3']).toContain(url.searchParams.get('month'));
      expect(headers.baggage).toMatch(/^lab\.run=run%201,lab\.scenario=test-1,lab\.step=([1-8]|setup)$/);
      owners.add(url.searchParams.get('ownerId') ?? '');
    }
    expect(owners.size).toBeGreaterThan(10);
    const steps = loadOf(target).map(({ headers }) => Number(String(headers.baggage).split('=').at(-1)));
    expect(steps).toEqual([...steps].sort((a, b) => a - b));
    expect(new Set(steps).size).toBe(8);
  });

  test('draws the same for the same seed', async () => {
    const firstUser = async (seed: string) => {
      await using target = await startTarget();
      await run(target, { DURATION_S: '2', SEED: seed });
      const load = loadOf(target);
      return load
        .filter(({ connection }) => connection === load[0]?.connection)
        .slice(0, 4)
        .map(({ url }) => url.search);
    };
    const [first, again, other] = [await firstUser('7'), await firstUser('7'), await firstUser('8')];
    expect(first).toHaveLength(4);
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test('failed answers are counted and cross the thresholds', async () => {
    let count = 0;
    await using target = await startTarget((request, response) => {
      count += 1;
      if (count === 1 || count % 4 !== 0) return answerInvoice(request, response);
      response.statusCode = 502;
      response.end('{"title":"delivery failed"}');
    });
    const { outcome } = await run(target);
    expect(outcome).toMatchObject({ exitCode: 99, meaning: 'thresholds-crossed' });
    const failed = outcome.seconds.reduce((sum, second) => sum + second.failed, 0);
    expect(failed).toBe(Math.floor(count / 4));
    expect(outcome.summary?.metrics['http_req_failed{scenario:load}']?.thresholds).toEqual({
      'rate<0.01': { ok: false },
    });
    expect(outcome.text).toContain('threshold crossed: http_req_failed{scenario:load}: rate<0.01');
  });

  test('an open profile starts arrivals at its rate, whatever the answers take', async () => {
    await using target = await startTarget(answerAfter(400));
    const { outcome } = await run(target, { PROFILE: 'arrival-rate', DURATION_S: '2' });
    // From 2 to 100 per second in 2 s: an area of 102.
    expect(loadOf(target)).toHaveLength(102);
    expect(outcome.seconds.every(({ droppedIterations }) => droppedIterations === 0)).toBe(true);
    expect(outcome.meaning).toBe('passed');
  });
});

describe('what goes wrong is told', () => {
  test('a target that is down', async () => {
    const url = await closedAddress();
    const { outcome, live } = await run({ url });
    expect(outcome).toMatchObject({ exitCode: 255, meaning: 'broken', loadStartMs: null, seconds: [] });
    expect(outcome.detail).toContain(`the target ${url} is not ready for GET /api/invoices: dial tcp`);
    expect(live).toEqual([]);
  });

  test('a target that answers with an error', async () => {
    await using target = await startTarget((_request, response) => {
      response.statusCode = 503;
      response.end('starting');
    });
    const { outcome } = await run(target);
    expect(outcome.detail).toContain('is not ready for GET /api/invoices: it answered 503 starting');
    expect(target.seen).toHaveLength(1);
  });

  test.each([
    [{ PROFILE: 'nope' }, 107, "open('../profiles/nope.json')"],
    [{ DURATION_S: '-1' }, 107, "DURATION_S must be a number from 1 to 604800, not '-1'"],
    [{ MONTHS: '13' }, 107, "MONTHS must be a number from 1 to 12, not '13'"],
  ])('%j', async (env, exitCode, message) => {
    await using target = await startTarget();
    const { outcome } = await run(target, env);
    expect(outcome).toMatchObject({ exitCode, meaning: 'broken' });
    expect(outcome.detail).toContain(message);
    expect(target.seen).toEqual([]);
  });

  test('a script that is not there, and a folder that cannot be made', async () => {
    const missing = startLoad({ engine: 'builtin', script: '/nowhere.ts', env: {}, outDir: folder() });
    expect(await missing.outcome).toMatchObject({
      exitCode: 255,
      meaning: 'broken',
      detail: expect.stringContaining('/nowhere.ts does not exist'),
    });
    const file = startLoad({
      engine: 'builtin',
      script: STEP_LOAD_SCRIPT,
      env: {},
      outDir: join(STEP_LOAD_SCRIPT, 'x'),
    });
    expect(await file.outcome).toMatchObject({
      meaning: 'broken',
      detail: expect.stringContaining('cannot be used'),
    });
  });
});

describe('stopping', () => {
  test('in the middle ends in order: what was measured is there, the run is marked as interrupted', async () => {
    await using target = await startTarget();
    const outDir = folder();
    const load = startLoad({
      engine: 'builtin',
      script: STEP_LOAD_SCRIPT,
      outDir,
      env: { BASE_URL: target.url, DURATION_S: '60' },
    });
    for await (const second of load.seconds) if (second.requests > 0) load.stop();
    const outcome = await load.outcome;
    expect(outcome).toMatchObject({ exitCode: 105, meaning: 'interrupted', plannedSeconds: 60 });
    expect(outcome.seconds.length).toBeGreaterThan(0);
    expect(outcome.seconds.length).toBeLessThan(20);
    expect(outcome.summary?.metrics.http_reqs?.values.count).toBe(target.seen.length);
  });

  test('before the start makes no load', async () => {
    await using target = await startTarget();
    const outDir = join(folder(), 'none');
    const outcome = await startLoad({
      engine: 'builtin',
      script: STEP_LOAD_SCRIPT,
      outDir,
      env: { BASE_URL: target.url },
      signal: AbortSignal.abort(),
    }).outcome;
    expect(outcome.meaning).toBe('interrupted');
    expect(target.seen).toEqual([]);
    expect(existsSync(join(outDir, 'points.ndjson'))).toBe(false);
  });
});
