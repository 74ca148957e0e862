import { describe, expect, test } from 'vitest';
import type { TestRun } from '../../../loadtests/src/engine/test-run.js';
import { countOf, runScript, type ScriptResult } from './script-run.js';

/** Every iteration tells when it began and when it came to its end. */
function script(scenarios: object, { body = 'await sleep(1);', more = '' } = {}): string {
  return `
    import { check, sleep } from 'k6';
    import exec from 'k6/execution';
    import { Counter, Gauge } from 'k6/metrics';
    const began = new Counter('began');
    const ended = new Counter('ended');
    const vu = new Gauge('vu');
    export const options = { scenarios: ${JSON.stringify(scenarios)} };
    ${more}
    export default async function () {
      began.add(1);
      vu.add(exec.vu.idInTest);
      ${body}
      ended.add(1);
    }`;
}

const beginnings = (result: ScriptResult) =>
  result.samples.filter(({ metric }) => metric === 'began').map(({ atMs }) => Math.round(atMs));

function counts(result: ScriptResult) {
  const { iterationsCompleted, iterationsInterrupted } = result.test.state.counters;
  return {
    began: countOf(result, 'began'),
    ended: countOf(result, 'ended'),
    iterations: countOf(result, 'iterations'),
    completed: iterationsCompleted,
    interrupted: iterationsInterrupted,
  };
}

describe('constant-vus', () => {
  test('each user iterates until the duration is over; the last iterations may finish', async () => {
    const result = await runScript(script({ a: { executor: 'constant-vus', vus: 3, duration: '2500ms' } }));
    expect(counts(result)).toEqual({ began: 9, ended: 9, iterations: 9, completed: 9, interrupted: 0 });
    expect(result.outcome.durationMs).toBe(3_000);
  });

  test('without a graceful stop running iterations are interrupted: counted nowhere else', async () => {
    const result = await runScript(
      script({ a: { executor: 'constant-vus', vus: 3, duration: '2500ms', gracefulStop: '0s' } }),
    );
    expect(counts(result)).toEqual({ began: 9, ended: 6, iterations: 6, completed: 6, interrupted: 3 });
    expect(result.outcome.durationMs).toBe(2_500);
    expect(result.summary.metrics.iteration_duration?.values.max).toBe(1_000);
  });

  test('a graceful stop that is too short interrupts when it is over', async () => {
    const result = await runScript(
      script(
        { a: { executor: 'constant-vus', vus: 1, duration: '1s', gracefulStop: '2s' } },
        { body: 'await sleep(10);' },
      ),
    );
    expect(counts(result)).toMatchObject({ began: 1, ended: 0, interrupted: 1 });
    expect(result.outcome.durationMs).toBe(3_000);
  });
});

describe('ramping-vus', () => {
  test('users start at the exact moments of the ramp', async () => {
    const stages = [{ duration: '9s', target: 4 }];
    const result = await runScript(
      script({ a: { executor: 'ramping-vus', startVUs: 1, stages } }, { body: 'await sleep(100);' }),
    );
    expect(beginnings(result)).toEqual([0, 3_000, 6_000]);
    expect(result.summary.metrics.vus_max?.values.value).toBe(4);
  });

  test('the user that came last leaves first and may finish its iteration', async () => {
    const stages = [
      { duration: '0s', target: 3 },
      { duration: '1500ms', target: 3 },
      { duration: '0s', target: 1 },
      { duration: '2500ms', target: 1 },
    ];
    const result = await runScript(script({ a: { executor: 'ramping-vus', startVUs: 3, stages } }));
    expect(counts(result)).toMatchObject({ began: 8, ended: 8, interrupted: 0 });
    const late = result.samples.filter(({ metric, atMs }) => metric === 'vu' && atMs >= 2_000);
    expect(new Set(late.map(({ value }) => value))).toEqual(new Set([1]));
  });

  test('a user that is needed again during its graceful ramp-down just goes on', async () => {
    const stages = [
      { duration: '500ms', target: 2 },
      { duration: '0s', target: 1 },
      { duration: '100ms', target: 1 },
      { duration: '0s', target: 2 },
      { duration: '1400ms', target: 2 },
    ];
    const result = await runScript(script({ a: { executor: 'ramping-vus', startVUs: 2, stages } }));
    expect(counts(result)).toMatchObject({ began: 4, ended: 4, interrupted: 0 });
  });

  test('iterations of users that were interrupted and are used again run to their end', async () => {
    // k6 2.2 ends every later iteration of such a user at its first await; this engine has no such defect.
    const stages = [
      { duration: '2s', target: 10 },
      { duration: '0s', target: 1 },
      { duration: '1s', target: 1 },
      { duration: '0s', target: 10 },
      { duration: '2s', target: 10 },
    ];
    const ramp = { executor: 'ramping-vus', startVUs: 10, stages, gracefulRampDown: '0s' };
    const result = await runScript(script({ a: ramp }, { body: 'await sleep(0.3);' }));
    const { began, ended, interrupted } = counts(result);
    expect(interrupted).toBe(9);
    expect(ended).toBe(began - 9);
  });

  test('a pause that was interrupted does not hold up the next iteration of its user', async () => {
    const stages = [
      { duration: '1500ms', target: 1 },
      { duration: '0s', target: 0 },
      { duration: '1s', target: 0 },
      { duration: '0s', target: 1 },
      { duration: '1500ms', target: 1 },
    ];
    const ramp = { executor: 'ramping-vus', startVUs: 1, stages, gracefulRampDown: '0s' };
    const result = await runScript(script({ a: ramp }));
    expect(counts(result)).toMatchObject({ began: 4, ended: 3, interrupted: 1 });
  });

  test('the graceful stop cuts the graceful ramp-down short', async () => {
    const stages = [
      { duration: '1s', target: 2 },
      { duration: '0s', target: 1 },
      { duration: '1s', target: 1 },
    ];
    const ramp = {
      executor: 'ramping-vus',
      startVUs: 2,
      stages,
      gracefulRampDown: '30s',
      gracefulStop: '2s',
    };
    const result = await runScript(script({ a: ramp }, { body: 'await sleep(60);' }));
    expect(counts(result)).toMatchObject({ began: 2, interrupted: 2 });
    expect(result.outcome.durationMs).toBe(4_000);
  });
});

describe('iterations', () => {
  test('shared ones go to whoever is free', async () => {
    const result = await runScript(
      script(
        { a: { executor: 'shared-iterations', vus: 2, iterations: 7 } },
        { body: 'await sleep(exec.vu.idInTest === 1 ? 1 : 3);' },
      ),
    );
    expect(counts(result)).toMatchObject({ began: 7, ended: 7 });
    const users = result.samples.filter(({ metric }) => metric === 'vu').map(({ value }) => value);
    expect(users.filter((id) => id === 1)).toHaveLength(5);
  });

  test('each user does its own number', async () => {
    const result = await runScript(
      script(
        { a: { executor: 'per-vu-iterations', vus: 2, iterations: 3 } },
        { body: 'await sleep(exec.vu.idInTest);' },
      ),
    );
    expect(counts(result)).toMatchObject({ began: 6, ended: 6 });
    expect(result.outcome.durationMs).toBe(6_000);
  });

  test.each(['shared-iterations', 'per-vu-iterations'])(
    '%s: those that maxDuration leaves undone are dropped',
    async (executor) => {
      const iterations = executor === 'shared-iterations' ? 10 : 5;
      const result = await runScript(script({ a: { executor, vus: 2, iterations, maxDuration: '2500ms' } }));
      expect(counts(result)).toMatchObject({ began: 6, ended: 6 });
      expect(countOf(result, 'dropped_iterations')).toBe(4);
    },
  );
});

describe('arrival rate', () => {
  test('iterations start by the clock, however long they take', async () => {
    const rate = { executor: 'constant-arrival-rate', rate: 2, duration: '3s', preAllocatedVUs: 10 };
    const result = await runScript(script({ a: rate }, { body: 'await sleep(4);' }));
    expect(beginnings(result)).toEqual([0, 500, 1_000, 1_500, 2_000, 2_500]);
    expect(countOf(result, 'dropped_iterations')).toBe(0);
  });

  test('an arrival without a free user is dropped', async () => {
    const rate = { executor: 'constant-arrival-rate', rate: 4, duration: '2s', preAllocatedVUs: 1 };
    const result = await runScript(script({ a: rate }, { body: 'await sleep(0.6);' }));
    expect(beginnings(result)).toEqual([0, 750, 1_500]);
    expect(countOf(result, 'dropped_iterations')).toBe(5);
    expect(result.samples.find(({ metric }) => metric === 'dropped_iterations')?.tags).toMatchObject({
      scenario: 'a',
    });
  });

  test('further users are made up to maxVUs, one per dropped arrival', async () => {
    const rate = {
      executor: 'constant-arrival-rate',
      rate: 4,
      duration: '2s',
      preAllocatedVUs: 1,
      maxVUs: 3,
    };
    const result = await runScript(script({ a: rate }, { body: 'await sleep(0.7);' }));
    expect(result.summary.metrics.vus_max?.values.value).toBe(3);
    expect(beginnings(result)).toEqual([0, 500, 750, 1_250, 1_500, 1_750]);
    expect(countOf(result, 'dropped_iterations')).toBe(2);
  });

  test('a ramp of the rate follows its area', async () => {
    const ramp = {
      executor: 'ramping-arrival-rate',
      startRate: 0,
      preAllocatedVUs: 5,
      stages: [{ duration: '4s', target: 4 }],
    };
    const result = await runScript(script({ a: ramp }, { body: '' }));
    const expected = Array.from({ length: 8 }, (_, i) => Math.sqrt(2 * (i + 1)) * 1_000);
    beginnings(result).forEach((atMs, i) => {
      expect(Math.abs(atMs - (expected[i] as number))).toBeLessThanOrEqual(1);
    });
    expect(beginnings(result)).toHaveLength(8);
  });

  test('iterations that still run after the graceful stop are interrupted', async () => {
    const rate = {
      executor: 'constant-arrival-rate',
      rate: 1,
      duration: '2s',
      preAllocatedVUs: 5,
      gracefulStop: '3s',
    };
    const result = await runScript(script({ a: rate }, { body: 'await sleep(60);' }));
    expect(counts(result)).toMatchObject({ began: 2, ended: 0, interrupted: 2 });
    expect(result.outcome.durationMs).toBe(5_000);
  });
});

describe('scenarios', () => {
  test('have their own start, function, variables and tags', async () => {
    const result = await runScript(
      `
      import { sleep } from 'k6';
      import exec from 'k6/execution';
      import { Counter } from 'k6/metrics';
      const seen = new Counter('seen');
      export const options = { scenarios: {
        first: { executor: 'per-vu-iterations', vus: 1, iterations: 2, exec: 'one', env: { WHO: 'a' }, tags: { team: 'red' } },
        second: { executor: 'per-vu-iterations', vus: 1, iterations: 1, exec: 'two', startTime: '5s', env: { WHO: 'b' } },
      } };
      const note = () => seen.add(1, { who: __ENV.WHO, common: __ENV.COMMON, name: exec.scenario.name, at: exec.scenario.startTime });
      export async function one() { note(); await sleep(1); }
      export async function two() { note(); }
    `,
      { env: { COMMON: 'yes', WHO: 'nobody' } },
    );
    const seen = result.samples.filter(({ metric }) => metric === 'seen');
    expect(
      seen.map(({ tags, atMs }) => [tags.who, tags.common, tags.scenario, tags.name, tags.team, atMs]),
    ).toEqual([
      ['a', 'yes', 'first', 'first', 'red', 0],
      ['a', 'yes', 'first', 'first', 'red', 1_000],
      ['b', 'yes', 'second', 'second', undefined, 5_000],
    ]);
    expect(Number(seen[2]?.tags.at) - Number(seen[0]?.tags.at)).toBe(5_000);
  });

  test('share users one after the other, and number their iterations across all users', async () => {
    const result = await runScript(
      script(
        {
          a: { executor: 'per-vu-iterations', vus: 2, iterations: 2, gracefulStop: '0s', maxDuration: '5s' },
          b: { executor: 'per-vu-iterations', vus: 2, iterations: 1, startTime: '5s' },
        },
        {
          body: 'vu.add(exec.vu.idInTest, { n: exec.scenario.iterationInTest, own: exec.vu.iterationInScenario, all: __ITER }); await sleep(1);',
        },
      ),
    );
    expect(result.summary.metrics.vus_max?.values.value).toBe(2);
    const noted = result.samples.filter(({ tags }) => tags.n !== undefined);
    expect(noted.map(({ tags }) => `${tags.scenario}${tags.n}`).sort()).toEqual([
      'a0',
      'a1',
      'a2',
      'a3',
      'b0',
      'b1',
    ]);
    expect(noted.map(({ tags }) => `${tags.own}/${tags.all}`).sort()).toEqual([
      '0/0',
      '0/0',
      '0/2',
      '0/2',
      '1/1',
      '1/1',
    ]);
  });
});

test('a test that is broken off interrupts everything, including scenarios that have not begun', async () => {
  const stop = (test: TestRun, clock: { after(ms: number, callback: () => void): unknown }) =>
    clock.after(1_500, () => test.abort({ kind: 'signal', message: 'enough' }));
  const result = await runScript(
    script(
      {
        vus: { executor: 'constant-vus', vus: 2, duration: '60s' },
        ramp: { executor: 'ramping-vus', stages: [{ duration: '60s', target: 3 }] },
        rate: { executor: 'constant-arrival-rate', rate: 1, duration: '60s', preAllocatedVUs: 3 },
        later: { executor: 'constant-vus', vus: 1, duration: '60s', startTime: '30s' },
      },
      { more: 'export function teardown() { console.log("teardown ran"); }' },
    ),
    { whileRunning: stop },
  );
  expect(result.outcome.exitCode).toBe(105);
  expect(result.outcome.durationMs).toBe(1_500);
  expect(counts(result).interrupted).toBeGreaterThanOrEqual(4);
  expect(result.log).toContain('info: teardown ran');
});
