import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
// The built ones: the thread for queries is started from its file.
import { ownerAccess, roomAccess } from '../../../lab/dist/console/access.js';
import { type Console, createConsole } from '../../../lab/dist/console/console.js';
import { ROUTES } from '../../../lab/dist/console/routes.js';
import { type ConsoleServer, serveConsole } from '../../../lab/dist/console/server.js';
import { openTerminal } from '../../../lab/src/cli/terminal.js';
import { buildResult } from '../../../lab/src/results/index.js';
import { disguise, exercisesOf, sealRun, type WorkshopExercise } from '../../../lab/src/workshop/index.js';
import { measuredValue } from '../../../lab/src/workshop/judge.js';
import { cachedRecording } from '../../unit/lab-analysis/model/cached.js';

const TOKEN = 'a-token-for-the-room';
let folder: string;
let console: Console;
let owner: ConsoleServer;
let room: ConsoleServer;

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'lab-console-'));
  const nowhere = { write: () => true };
  console = createConsole({
    stateDir: path.join(folder, 'state'),
    runsDir: path.join(folder, 'runs'),
    ...{ seed: 1, port: 0, cosmosEndpoint: null, version: '1.2.3' },
    terminal: openTerminal({ stdout: nowhere, stderr: nowhere, env: {} }),
  });
  const at = { console, host: '127.0.0.1', port: 0 };
  owner = await serveConsole({ ...at, access: ownerAccess() });
  room = await serveConsole({ ...at, access: roomAccess(TOKEN) });
});
afterAll(async () => {
  await console.close();
  await Promise.all([owner.close(), room.close()]);
  rmSync(folder, { recursive: true });
});

const atOwner = (pathname: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${owner.port}${pathname}`, init);
const atRoom = (pathname: string, init?: RequestInit) =>
  fetch(`http://127.0.0.1:${room.port}${pathname}`, { redirect: 'manual', ...init });
const post = (body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
/** fetch sends no host of one's own choosing. */
const statusUnder = (host: string) =>
  new Promise<number | undefined>((resolve, reject) => {
    http
      .get({ host: '127.0.0.1', port: owner.port, path: '/api/knobs', headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
      .on('error', reject);
  });
// biome-ignore lint/suspicious/noExplicitAny: what comes is checked by what is expected of it
const jsonOf = async (response: Response): Promise<any> => response.json();
const problem = async (response: Response) => {
  const { code, detail } = (await response.json()) as { code: string; detail: string };
  return { status: response.status, code, detail };
};

describe('the API', () => {
  it('tells its state without a stack', async () => {
    const state = await jsonOf(await atOwner('/api/state'));
    expect(state).toMatchObject({ readOnly: false, version: '1.2.3', run: null });
    expect(state.scenarios.map(({ name }: { name: string }) => name)).toContain('throttled');
    const knob = state.knobs.find(({ name }: { name: string }) => name === 'ruPerSecond');
    expect(knob).toMatchObject({ value: null, reason: 'no stack is running' });
  });

  it('says why each knob can not be turned, and which can never be', async () => {
    const knobs = (await (await atOwner('/api/knobs')).json()) as { name: string; reason: string }[];
    for (const { reason } of knobs) expect(reason).not.toBe('');
    expect(knobs.map(({ name }) => name)).toEqual(expect.arrayContaining(['users', 'deliveryReplicas']));
  });

  it('describes every route as an OpenAPI document', async () => {
    const document = await jsonOf(await atOwner('/api/openapi.json'));
    expect(document).toMatchObject({ openapi: '3.1.0', info: { version: '1.2.3' } });
    for (const { method, path: where } of ROUTES) {
      expect(document.paths[where][method.toLowerCase()].summary).not.toBe('');
    }
    const start = document.paths['/api/run'].post.requestBody.content['application/json'].schema;
    expect(start.properties.seconds).toMatchObject({ type: 'integer', minimum: 5, maximum: 3600 });
    expect(document.paths['/api/operations'].get.parameters).toContainEqual(
      expect.objectContaining({ name: 'run', in: 'query', required: true }),
    );
  });

  it.each<[string, RequestInit | undefined, number, string, string]>([
    ['/api/nothing', undefined, 404, 'NOT_FOUND', '/api/nothing'],
    ['/api/run', undefined, 405, 'METHOD_NOT_ALLOWED', 'POST'],
    ['/api/run', post({ scenario: 'throtled' }), 400, 'BAD_REQUEST', 'throttled'],
    ['/api/run', post({ scenario: 'throttled', seconds: 2 }), 400, 'BAD_REQUEST', 'seconds'],
    ['/api/run', post({ scenario: 'throttled', second: 9 }), 400, 'BAD_REQUEST', 'second'],
    ['/api/run/stop', post({}), 409, 'NO_RUN', 'nothing to stop'],
    ['/api/knobs/ruPerSecond', post({ value: 900 }), 409, 'STACK', 'no stack is running'],
    ['/api/runs/2026', undefined, 404, 'RUN_UNKNOWN', 'no run "2026"'],
    ['/api/compare?runs=a', undefined, 400, 'BAD_REQUEST', 'runs'],
    ['/api/operations?run=a&list=fastest', undefined, 400, 'BAD_REQUEST', 'slowest'],
    ['/api/run', { method: 'POST', body: '{}' }, 415, 'NOT_JSON', 'application/json'],
    ['/api/query/check', post({ text: 'x'.repeat(300_000) }), 413, 'TOO_LARGE', 'larger'],
  ])('refuses %s (%#) in words', async (pathname, init, status, code, word) => {
    const answer = await problem(await atOwner(pathname, init));
    expect(answer).toMatchObject({ status, code });
    expect(answer.detail).toContain(word);
  });

  it('streams the whole state first', async () => {
    const left = new AbortController();
    const response = await atOwner('/api/events', { signal: left.signal });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      if (text.includes('event: beat')) break;
    }
    left.abort();
    expect(text).toMatch(/event: state\ndata: \{"instance":"[0-9a-f]{16}"/);
  });

  it('checks and completes queries', async () => {
    const check = async (text: string) => jsonOf(await atOwner('/api/query/check', post({ text })));
    expect(await check('requests | count')).toEqual({ diagnostics: [] });
    const { diagnostics } = await check('requests\n| summarise count()');
    expect(diagnostics[0]).toMatchObject({ severity: 'error', line: 2 });
    const text = 'requests | su';
    const offered = await jsonOf(await atOwner('/api/query/complete', post({ text, position: text.length })));
    expect(offered.items.map(({ label }: { label: string }) => label)).toContain('summarize');
  });
});

describe('the workshop', () => {
  const check = (body: unknown) => atOwner('/api/workshop/check', post(body));
  const HIDDEN = { scenario: 'throttled', seed: 3 };

  it('lists exercises without their answers', async () => {
    const { exercises, bottlenecks, fixes } = await jsonOf(await atOwner('/api/workshop'));
    expect(exercises[0]).toMatchObject({ scenario: 'throttled', number: 1 });
    expect(Object.keys(exercises[0])).not.toContain('evidence');
    expect(bottlenecks).toContain('throttling');
    expect(fixes.map(({ name }: { name: string }) => name)).toContain('more-cpu');
  });

  it.each([
    [{ exercise: '77', bottleneck: 'throttling', fix: 'more-cpu' }, 'no exercise "77"'],
    [{ exercise: 'throttled', bottleneck: 'throttling', fix: 'more-cpu' }, 'no run of throttled yet'],
    [{ exercise: 'mystery', bottleneck: 'throttling', fix: 'more-cpu' }, 'no mystery'],
  ])('refuses %j in words', async (body, words) => {
    const answer = await problem(await check(body));
    expect(answer).toMatchObject({ status: 400, code: 'ANSWER_REFUSED' });
    expect(answer.detail).toContain(words);
  });

  it('keeps a mystery until the answer is right, numbers included', async () => {
    const runsDir = path.join(folder, 'runs');
    const recording = structuredClone(cachedRecording(HIDDEN));
    const { scenario } = recording.meta;
    recording.meta = { ...recording.meta, id: '20260101T000000Z-mystery-0001', scenario: disguise(scenario) };
    await sealRun(runsDir, { scenario: scenario.name, seed: 3, recording, telemetryFolder: null });
    const listed = await jsonOf(await atOwner('/api/runs'));
    expect(listed).toMatchObject([{ scenario: 'mystery', sealed: true, bottleneck: '' }]);

    const asked = { exercise: 'mystery', fix: 'more-request-units' };
    const wrong = await jsonOf(await check({ ...asked, bottleneck: 'cpu-saturation' }));
    expect(wrong).toMatchObject({ right: false, bottleneck: { ok: false }, revealed: null });
    const half = await jsonOf(await check({ ...asked, bottleneck: 'throttling' }));
    expect(half).toMatchObject({ right: false, bottleneck: { ok: true }, revealed: null });

    const [exercise] = exercisesOf([scenario]) as [WorkshopExercise];
    const result = buildResult(cachedRecording(HIDDEN));
    const evidence = exercise.exercise.evidence.map((one) => String(measuredValue(one, result)));
    const right = await jsonOf(await check({ ...asked, bottleneck: 'throttling', evidence }));
    expect(right).toMatchObject({ right: true, revealed: { scenario: 'throttled' } });
    const [run] = await jsonOf(await atOwner('/api/runs'));
    expect(run).toMatchObject({ id: right.revealed.run, scenario: 'throttled' });
  });
});

describe('who comes in', () => {
  it('under another name than loopback is refused, as is what another site sends', async () => {
    expect(await statusUnder('evil.example')).toBe(403);
    expect(await statusUnder(`localhost:${owner.port}`)).toBe(200);
    const foreign = await atOwner('/api/run/stop', post({}, { origin: 'http://evil.example' }));
    expect(await problem(foreign)).toMatchObject({ status: 403, code: 'HOST_REFUSED' });
  });

  it('needs the token in the room, and keeps it as a cookie', async () => {
    expect(await problem(await atRoom('/api/state'))).toMatchObject({ status: 401, code: 'TOKEN_REQUIRED' });
    expect((await atRoom('/?token=wrong')).status).toBe(401);
    const entered = await atRoom(`/?token=${TOKEN}`);
    expect(entered.status).toBe(303);
    expect(entered.headers.get('location')).toBe('/');
    const cookie = entered.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/HttpOnly; SameSite=Strict/);
    const state = await atRoom('/api/state', { headers: { cookie: cookie.split(';')[0] as string } });
    expect(await state.json()).toMatchObject({ readOnly: true });
  });

  it('reads a page that says what is missing, where a browser asks', async () => {
    const html = { headers: { accept: 'text/html,application/xhtml+xml' } };
    for (const address of ['/', '/?token=wrong', '/<script>']) {
      const page = await atRoom(address, html);
      expect(page.status).toBe(401);
      expect(page.headers.get('content-type')).toContain('text/html');
      const text = await page.text();
      expect(text).toContain('<h1>401: This view needs the token');
      expect(text).toContain('add ?token=...');
      expect(text).not.toContain('<script');
    }
  });

  it('may look but not touch in the room', async () => {
    const authorization = `Bearer ${TOKEN}`;
    for (const { method, path: where, access } of ROUTES.filter((route) => route.access === 'control')) {
      const answer = await problem(
        await atRoom(where.replace('{name}', 'ruPerSecond'), {
          ...post({ value: 1 }, { authorization }),
          method,
        }),
      );
      expect({ access, ...answer }).toMatchObject({ access: 'control', status: 403, code: 'READ_ONLY' });
    }
    const checked = await atRoom('/api/query/check', post({ text: 'requests' }, { authorization }));
    expect(checked.status).toBe(200);
  });
});

describe('the page', () => {
  it('is served with a policy that lets nothing else in', async () => {
    const page = await atOwner('/');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await page.text()).toContain('<script type="module" src="/console.js">');
    expect((await atOwner('/console.js')).headers.get('content-type')).toContain('text/javascript');
    expect((await atOwner('/../package.json')).status).toBe(404);
  });
});
