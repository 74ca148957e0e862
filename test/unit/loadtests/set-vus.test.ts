import { describe, expect, test } from 'vitest';
import type { TestRun } from '../../../loadtests/src/engine/test-run.js';
import { countOf, runScript, type ScriptResult } from './script-run.js';

const RAMP = { executor: 'ramping-vus', startVUs: 1, stages: [{ duration: '10s', target: 5 }] };

const script = (scenarios: object) => `
  import { sleep } from 'k6';
  import { Counter } from 'k6/metrics';
  const began = new Counter('began');
  export const options = { scenarios: ${JSON.stringify(scenarios)} };
  export default async function () {
    began.add(1);
    await sleep(1);
  }`;

/** Runs it and calls back at moments of the load. */
const controlled = (scenarios: object, calls: Record<number, (test: TestRun) => void>) =>
  runScript(script(scenarios), {
    whileRunning(running, clock) {
      for (const [atMs, call] of Object.entries(calls)) clock.after(Number(atMs), () => call(running));
    },
  });

/** Users by second, as the metric `vus` tells them. */
const users = ({ samples }: ScriptResult) =>
  samples.filter(({ metric }) => metric === 'vus').map(({ value }) => value);

describe('users set while a ramp runs', () => {
  test('hold until they are set again, and the load ends when it would have', async () => {
    const from: number[] = [];
    const result = await controlled(
      { a: RAMP },
      {
        2600: (running) => from.push(running.setVus(40)),
        5600: (running) => from.push(running.setVus(3)),
      },
    );
    expect(from).toEqual([2, 40]);
    expect(users(result)).toEqual([1, 1, 40, 40, 40, 3, 3, 3, 3, 3, 0]);
    expect(result.outcome).toMatchObject({ exitCode: 0, durationMs: 10_600 });
    const { iterationsCompleted, iterationsInterrupted } = result.test.state.counters;
    expect({ iterationsCompleted, iterationsInterrupted }).toEqual({
      iterationsCompleted: countOf(result, 'began'),
      iterationsInterrupted: 0,
    });
  });

  test('may be none, and some again', async () => {
    const result = await controlled(
      { a: RAMP },
      { 1500: (running) => running.setVus(0), 6500: (running) => running.setVus(2) },
    );
    expect(users(result)).toEqual([1, 1, 0, 0, 0, 0, 2, 2, 2, 2, 0]);
  });

  test('leave another run as it was', async () => {
    const plain = await runScript(script({ a: RAMP }));
    const refused = await controlled(
      { a: RAMP },
      { 3000: (running) => expect(() => running.setVus(-1)).toThrow() },
    );
    expect(refused.samples).toEqual(plain.samples);
  });

  test.each<[string, object, number, number, string]>([
    ['more than there may be', RAMP, 1_000, 501, 'users must be a whole number from 0 to 500, not 501'],
    ['half a user', RAMP, 1_000, 1.5, 'not 1.5'],
    [
      'another executor',
      { executor: 'constant-vus', vus: 2, duration: '5s' },
      1_000,
      3,
      'this script has constant-vus',
    ],
    [
      'a ramp whose last iterations end',
      RAMP,
      10_300,
      3,
      'while one scenario with the executor ramping-vus runs',
    ],
  ])('%s is refused in words', async (_name, scenario, atMs, vus, words) => {
    let said = '';
    await controlled(
      { a: scenario },
      {
        [atMs]: (running) => {
          try {
            running.setVus(vus);
          } catch (error) {
            said = (error as Error).message;
          }
        },
      },
    );
    expect(said).toContain(words);
  });

  test('two ramps are refused: nobody could tell which is meant', async () => {
    let said = '';
    await controlled(
      { a: RAMP, b: RAMP },
      {
        1000: (running) => {
          try {
            running.setVus(3);
          } catch (error) {
            said = (error as Error).message;
          }
        },
      },
    );
    expect(said).toContain('ramping-vus, ramping-vus');
  });
});
