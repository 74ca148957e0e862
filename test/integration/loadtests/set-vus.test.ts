import { join } from 'node:path';
import { STEP_LOAD_SCRIPT, startLoad } from '@bottleneck-lab/loadtests';
import { expect, test } from 'vitest';
import { folder } from './script-command.js';
import { answerInvoice, startTarget } from './target-server.js';

test('users of a running load are set from outside, and are what its seconds tell', async () => {
  await using target = await startTarget(
    (request, response) => void setTimeout(() => answerInvoice(request, response), 5),
  );
  const load = startLoad({
    engine: 'builtin',
    script: STEP_LOAD_SCRIPT,
    outDir: join(folder(), 'load'),
    env: { BASE_URL: target.url, DURATION_S: '6' },
  });
  await expect(load.setVus(5)).rejects.toMatchObject({ code: 'LOAD_NOT_CONTROLLED' });
  const users: number[] = [];
  for await (const second of load.seconds) {
    users.push(second.users);
    if (users.length === 1) expect(await load.setVus(60)).toBeLessThan(30);
    if (users.length === 1) await expect(load.setVus(501)).rejects.toThrow('from 0 to 500, not 501');
  }
  const outcome = await load.outcome;
  expect(outcome).toMatchObject({ meaning: 'passed', plannedSeconds: 6 });
  expect(Math.max(...users)).toBe(60);
  expect(outcome.seconds.at(-2)?.users).toBe(60);
  await expect(load.setVus(5)).rejects.toThrow('the load has ended');
});
