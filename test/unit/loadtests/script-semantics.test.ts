import { describe, expect, test } from 'vitest';
import { countOf, runScript } from './script-run.js';

const once = (body: string, head = '') => `
  import { check, fail, group, sleep } from 'k6';
  import exec from 'k6/execution';
  import { Counter, Gauge, Rate, Trend } from 'k6/metrics';
  ${head}
  export default async function (data) { ${body} }`;

describe('one instance per user', () => {
  test('keeps module-level state apart', async () => {
    const result = await runScript(`
      import { Trend } from 'k6/metrics';
      const seen = new Trend('seen');
      export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 3, iterations: 2 } } };
      let calls = 0;
      export default function () { calls += 1; globalThis.own = (globalThis.own ?? 0) + 1; seen.add(calls + globalThis.own); }
    `);
    expect(
      result.samples
        .filter(({ metric }) => metric === 'seen')
        .map(({ value }) => value)
        .sort(),
    ).toEqual([2, 2, 2, 4, 4, 4]);
    expect(result.outcome.exitCode).toBe(0);
  });

  test('sees its own number from the start, and its iteration only while one runs', async () => {
    const result = await runScript(`
      import { Counter } from 'k6/metrics';
      const seen = new Counter('seen');
      export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };
      const loaded = String(__VU) + typeof __ITER;
      export default function () { seen.add(1, { loaded, now: __VU + '/' + __ITER }); }
    `);
    const seen = result.samples
      .filter(({ metric }) => metric === 'seen')
      .map(({ tags }) => `${tags.loaded} ${tags.now}`);
    expect(seen.sort()).toEqual(['1undefined 1/0', '1undefined 1/1', '2undefined 2/0', '2undefined 2/1']);
  });

  test("gets setup's result as a copy of its own, once", async () => {
    const result = await runScript(`
      import { Trend } from 'k6/metrics';
      const seen = new Trend('seen');
      export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 2, iterations: 2 } } };
      export async function setup() { return { n: 0, gone: undefined, when: new Date(0) }; }
      export default function (data) { data.n += 1; seen.add(data.n); if (typeof data.when !== 'string') throw new Error('no copy'); }
      export function teardown(data) { console.log('left', data.n, 'gone' in data); }
    `);
    expect(
      result.samples
        .filter(({ metric }) => metric === 'seen')
        .map(({ value }) => value)
        .sort(),
    ).toEqual([1, 1, 2, 2]);
    expect(result.log).toEqual(['info: left 0 false']);
    expect(result.outcome.setupData).toEqual({ n: 0, when: '1970-01-01T00:00:00.000Z' });
  });
});

describe('an iteration', () => {
  test('lasts until timers that nobody awaits have fired', async () => {
    const result = await runScript(
      once(
        'setTimeout(() => ended.add(1), 500); setTimeout(() => setTimeout(() => ended.add(1), 100), 700);',
        "const ended = new Counter('ended');",
      ),
    );
    expect(countOf(result, 'ended')).toBe(2);
    expect(result.summary.metrics.iteration_duration?.values.avg).toBe(800);
  });

  test('ends when an interval is cleared', async () => {
    const result = await runScript(
      once(
        'let n = 0; const id = setInterval(() => { n += 1; if (n === 3) clearInterval(id); }, 100); const never = setTimeout(() => {}, 9999); clearTimeout(never);',
      ),
    );
    expect(result.summary.metrics.iteration_duration?.values.avg).toBe(300);
  });

  test('that throws is logged with its place, counts as complete, and the test passes', async () => {
    const result = await runScript(
      once('\n\n  fail("no luck");', 'export const options = { iterations: 3 };'),
    );
    expect(result.outcome.exitCode).toBe(0);
    expect(countOf(result, 'iterations')).toBe(3);
    expect(result.log).toHaveLength(3);
    expect(result.log[0]).toMatch(/^error: Error: no luck\n {4}at .*script\.js:8:\d+$/);
  });

  test('that never waits does not keep the test from ending', async () => {
    // Time only moves on here when the event loop gets its turn, as with real timers.
    const result = await runScript(
      once(
        'throw new Error("at once");',
        'export const options = { scenarios: { a: { executor: "constant-vus", vus: 2, duration: "1s" } } };',
      ),
    );
    expect(countOf(result, 'iterations')).toBeGreaterThan(2);
  });
});

describe('checks', () => {
  test('count passes and failures by name, and tell whether all passed', async () => {
    const result = await runScript(
      once(`
      const all = check({ status: 200 }, { 'is 200': (r) => r.status === 200, 'is 404': (r) => r.status === 404, plain: true }, { kind: 'x' });
      if (all) fail('one check must have failed');
      if (!check(1, { one: (n) => n === 1 })) fail('this one passes');`),
    );
    expect(result.log).toEqual([]);
    expect(
      result.summary.root_group.checks.map(({ name, passes, fails, path }) => [name, passes, fails, path]),
    ).toEqual([
      ['is 200', 1, 0, '::is 200'],
      ['is 404', 0, 1, '::is 404'],
      ['plain', 1, 0, '::plain'],
      ['one', 1, 0, '::one'],
    ]);
    expect(result.summary.metrics.checks?.values).toEqual({ rate: 0.75, passes: 3, fails: 1 });
    expect(result.samples.find(({ metric }) => metric === 'checks')?.tags).toMatchObject({
      check: 'is 200',
      kind: 'x',
    });
  });

  test('that throw have failed, and the error goes on', async () => {
    const result = await runScript(once('check(null, { boom: (r) => r.status === 200 });'));
    expect(result.log[0]).toContain("Cannot read properties of null (reading 'status')");
    expect(result.summary.root_group.checks[0]).toMatchObject({ name: 'boom', passes: 0, fails: 1 });
  });

  test.each([
    ["check(1, { 'a::b': true });", "the name of a check may not contain '::'"],
    ['check(1, { later: async () => true });', "the check 'later' must not be async"],
    ["group('g', async () => {});", 'group() does not support async functions'],
  ])('%s is an error', async (body, message) => {
    expect((await runScript(once(body))).log[0]).toContain(message);
  });

  test('in a group carry its path', async () => {
    const result = await runScript(
      once("group('outer', () => group('inner', () => check(1, { one: true }))); check(1, { after: true });"),
    );
    expect(result.summary.root_group.groups[0]?.groups[0]?.checks[0]).toMatchObject({
      path: '::outer::inner::one',
    });
    const tags = result.samples
      .filter(({ metric }) => metric === 'checks')
      .map((sample) => sample.tags.group);
    expect(tags).toEqual(['::outer::inner', '']);
    expect(result.samples.filter(({ metric }) => metric === 'group_duration')).toHaveLength(2);
  });
});

describe('metrics', () => {
  test('take numbers, booleans and numeric texts, and report the rest', async () => {
    const result = await runScript(
      once(
        "for (const v of [1, true, '2.5', null, undefined, NaN, 'x', {}]) c.add(v); r.add(false); r.add(1); t.add(10, { step: 7 }); g.add(3);",
        "const c = new Counter('c1'); const r = new Rate('r1'); const t = new Trend('t1', true); const g = new Gauge('g1');",
      ),
    );
    expect(countOf(result, 'c1')).toBe(4.5);
    expect(result.log).toHaveLength(5);
    expect(result.log[0]).toBe("warning: 'null' is not a value for the metric 'c1'");
    expect(result.summary.metrics.t1).toMatchObject({ type: 'trend', contains: 'time', values: { avg: 10 } });
    expect(result.samples.find(({ metric }) => metric === 't1')?.tags).toMatchObject({
      step: '7',
      scenario: 'default',
      group: '',
    });
  });

  test.each([
    ["new Counter('1x');", "'1x' is not a metric name"],
    ["new Counter('x y');", "'x y' is not a metric name"],
    ["new Counter('same'); new Trend('same');", "metric 'same' already exists with type counter"],
    ["new Trend('vus');", "metric 'vus' already exists with type gauge"],
  ])('%s fails when the script is loaded', async (head, message) => {
    await expect(runScript(once('', head))).rejects.toThrow(message);
  });

  test('cannot be made while an iteration runs', async () => {
    expect((await runScript(once("new Counter('late');"))).log[0]).toContain(
      'new Counter() is only possible while the script is being loaded',
    );
  });

  test('tags set on the user stay, until the next scenario begins', async () => {
    const result = await runScript(`
      import exec from 'k6/execution';
      export const options = { tags: { run: 'r1' }, scenarios: {
        a: { executor: 'per-vu-iterations', vus: 1, iterations: 4, gracefulStop: '0s', maxDuration: '1s' },
        b: { executor: 'per-vu-iterations', vus: 1, iterations: 1, startTime: '2s', exec: 'two' } } };
      export default function () { if (__ITER === 0) exec.vu.metrics.tags.step = 3; if (__ITER === 2) delete exec.vu.tags['step']; if (__ITER === 3) exec.vu.tags.step = 4; }
      export function two() {}
    `);
    const tags = result.samples.filter(({ metric }) => metric === 'iterations').map((sample) => sample.tags);
    expect(tags.map(({ run, step, scenario }) => [run, step, scenario])).toEqual([
      ['r1', '3', 'a'],
      ['r1', '3', 'a'],
      ['r1', undefined, 'a'],
      ['r1', '4', 'a'],
      ['r1', undefined, 'b'],
    ]);
  });
});

describe('exit codes', () => {
  const load =
    "export const options = { scenarios: { a: { executor: 'constant-vus', vus: 1, duration: '10s' } }, thresholds: THRESHOLDS };";
  const withThresholds = (thresholds: object) => load.replace('THRESHOLDS', JSON.stringify(thresholds));

  test.each([
    ['passed', 'await sleep(1);', withThresholds({ iterations: ['count>1'] }), 0],
    ['a crossed threshold', 'await sleep(1);', withThresholds({ iterations: ['count<5'] }), 99],
    ['test.abort', "exec.test.abort('enough');", withThresholds({ iterations: ['count>5'] }), 108],
    ['test.abort after an await', "await sleep(1); exec.test.abort('enough');", withThresholds({}), 108],
    ['test.fail', "exec.test.fail('bad'); await sleep(1);", withThresholds({}), 110],
    [
      'a sync setup that throws',
      '',
      `${withThresholds({})} export function setup() { throw new Error('not ready'); }`,
      107,
    ],
    [
      'an async setup that throws',
      '',
      `${withThresholds({})} export async function setup() { throw new Error('not ready'); }`,
      255,
    ],
    [
      'a setup that takes too long',
      '',
      "export const options = { setupTimeout: '2s' }; export async function setup() { await sleep(3); }",
      100,
    ],
    [
      'a teardown that takes too long',
      '',
      "export const options = { teardownTimeout: '2s' }; export async function teardown() { await sleep(3); }",
      101,
    ],
  ])('%s', async (_name, body, head, exitCode) => {
    expect((await runScript(once(body, head))).outcome.exitCode).toBe(exitCode);
  });

  test('a threshold with abortOnFail ends the test at the next look, after its delay', async () => {
    const thresholds = { iterations: [{ threshold: 'count<2', abortOnFail: true, delayAbortEval: '3s' }] };
    const result = await runScript(once('await sleep(1);', withThresholds(thresholds)));
    expect(result.outcome.exitCode).toBe(99);
    expect(result.outcome.durationMs).toBe(4_000);
  });

  test.each([
    ["export const options = { thresholds: { nope: ['avg<1'] } };", "there is no metric 'nope'", 104],
    [
      "export const options = { scenarios: { a: { executor: 'shared-iterations', exec: 'missing' } } };",
      "exports no function 'missing'",
      104,
    ],
    ["throw new Error('while loading');", 'while loading', 107],
    ["open('missing.json');", "open('missing.json'): ENOENT", 107],
  ])('%s fails before any load', async (head, message, exitCode) => {
    const failing = runScript(once('', head));
    await expect(failing).rejects.toThrow(message);
    await expect(failing).rejects.toMatchObject({ exitCode });
  });

  test('setup that fails leaves the scenarios and teardown out', async () => {
    const result = await runScript(
      once(
        "console.log('iteration');",
        "export function setup() { fail('nobody home'); } export function teardown() { console.log('teardown'); }",
      ),
    );
    expect(result.log).toHaveLength(1);
    expect(result.log[0]).toContain('setup() failed: Error: nobody home');
  });
});

describe('k6/data, open() and local files', () => {
  test('a shared list is made once, its elements are read-only', async () => {
    const result = await runScript(
      `
      import { SharedArray } from 'k6/data';
      import { Counter } from 'k6/metrics';
      import { double } from './lib.js';
      const seen = new Counter('seen');
      const rows = new SharedArray('rows', () => { console.log('made'); return JSON.parse(open('./rows.json')); });
      const bytes = open('rows.json', 'b').byteLength;
      export const options = { scenarios: { a: { executor: 'per-vu-iterations', vus: 3, iterations: 1 } } };
      export default function () { seen.add(double(rows[1].n) + rows.length, { bytes }); rows[0].n = 9; }
    `,
      { files: { 'rows.json': '[{"n":1},{"n":20}]', 'lib.js': 'export const double = (n) => 2 * n;' } },
    );
    expect(countOf(result, 'seen')).toBe(3 * 42);
    expect(result.samples.find(({ metric }) => metric === 'seen')?.tags.bytes).toBe('18');
    expect(result.log.filter((line) => line === 'info: made')).toHaveLength(1);
    expect(result.log.filter((line) => line.includes('Cannot assign to read only property'))).toHaveLength(3);
  });

  test('a file that only some users open is refused', async () => {
    const source = "if (__VU > 0) open('rows.json'); export default function () {}";
    await expect(runScript(source, { files: { 'rows.json': '[]' } })).rejects.toThrow(
      'only files that are opened for every virtual user',
    );
  });
});

test('globals of Node that k6 does not have are not there', async () => {
  const names = ['process', 'Buffer', 'fetch', 'require', 'URL', 'performance', 'structuredClone'];
  const result = await runScript(
    once(`for (const kind of [${names.map((name) => `typeof ${name}`).join(', ')}]) console.log(kind);`),
  );
  expect(new Set(result.log)).toEqual(new Set(['info: undefined']));
});

test('handleSummary may be async and gets the data; when it throws, there is none', async () => {
  const good = await runScript(
    once(
      '',
      "export async function handleSummary(data) { await null; return { stdout: data.metrics.iterations.values.count + '' }; }",
    ),
  );
  expect(await good.test.handleSummary(good.summary)).toEqual({ stdout: '1' });
  const bad = await runScript(once('', "export function handleSummary() { throw new Error('oops'); }"));
  expect(await bad.test.handleSummary(bad.summary)).toBeUndefined();
  expect(bad.log[0]).toContain('handleSummary() failed: Error: oops');
});

test('globalThis has the language and the globals of k6, and what a script sets stays with its user', async () => {
  const { platform } = process;
  const result = await runScript(
    once(
      'for (const g of [typeof globalThis.process, typeof globalThis.fetch, typeof globalThis.Map, typeof globalThis.setTimeout, typeof globalThis.mine]) console.log(g);',
      'globalThis.process = 1; delete globalThis.process; globalThis.fetch = undefined; globalThis.mine = 1;',
    ),
  );
  expect(result.log).toEqual(
    ['undefined', 'undefined', 'function', 'function', 'number'].map((kind) => `info: ${kind}`),
  );
  expect(process.platform).toBe(platform);
  expect(typeof fetch).toBe('function');
});
