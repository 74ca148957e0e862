import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseProfile, scenarioOf, stepsOf } from '../../../loadtests/scripts/load-profile.js';
import { mixSeeds, seededRandom } from '../../../loadtests/scripts/random.js';
import { readOptions } from '../../../loadtests/src/engine/options.js';
import { plannedSeconds, plannedVus } from '../../../loadtests/src/engine/plan.js';
import { listProfiles, loadProfile, STEP_LOAD_SCRIPT } from '../../../loadtests/src/profile.js';

const read = (name: string) => parseProfile(readFileSync(loadProfile(name).path, 'utf8'), name);
const scenarios = (name: string, durationMs: number) =>
  readOptions({ scenarios: { load: scenarioOf(read(name), durationMs, '35s') } }).scenarios;

test('the package has the step-load script and its profiles', () => {
  expect(existsSync(STEP_LOAD_SCRIPT)).toBe(true);
  expect(listProfiles().map(({ name }) => name)).toEqual([
    'arrival-rate',
    'article',
    'notebook',
    'soak',
    'spike',
  ]);
});

test.each(listProfiles().map(({ name }) => [name]))(
  '%s fills any length of test exactly, and its steps do too',
  (name) => {
    for (const durationMs of [8_000, 60_000, 480_000]) {
      expect(plannedSeconds(scenarios(name, durationMs))).toBeCloseTo(durationMs / 1_000, 1);
      const steps = stepsOf(read(name), durationMs);
      expect(steps[0]?.startMs).toBe(0);
      expect(steps.at(-1)?.endMs).toBeCloseTo(durationMs, 3);
      for (const [i, step] of steps.slice(1).entries()) expect(step.startMs).toBe(steps[i]?.endMs);
    }
  },
);

test('article is one line from 1 to 40 users with 8 equal steps', () => {
  expect(scenarios('article', 60_000)).toMatchObject([
    {
      executor: 'ramping-vus',
      startVUs: 1,
      stages: [{ durationMs: 60_000, target: 40 }],
      gracefulStopMs: 35_000,
    },
  ]);
  expect(read('article').thinkTimeSeconds).toBe(0.3);
  expect(stepsOf(read('article'), 60_000).map(({ label, endMs }) => [label, endMs])).toEqual(
    Array.from({ length: 8 }, (_, i) => [String(i + 1), (i + 1) * 7_500]),
  );
});

test('notebook holds one user for half of the test, then adds four every 48th part up to 41', () => {
  const [scenario] = scenarios('notebook', 480_000);
  const stages = (scenario as unknown as { stages: { durationMs: number; target: number }[] }).stages;
  expect(stages[0]).toEqual({ durationMs: 240_000, target: 1 });
  const holds = stages.slice(1).filter(({ durationMs }) => durationMs > 0);
  expect(holds.map(({ target }) => target)).toEqual([5, 9, 13, 17, 21, 25, 29, 33, 37, 41]);
  expect(holds.slice(0, -1).every(({ durationMs }) => durationMs === 10_000)).toBe(true);
  expect(holds.at(-1)?.durationMs).toBe(150_000);
  expect(plannedVus(scenarios('notebook', 480_000))).toBe(41);
});

describe('a wrong profile is refused by the name of its field', () => {
  const good = {
    name: 'mine',
    title: 't',
    description: 'd',
    model: 'closed',
    thinkTimeSeconds: 0,
    start: 1,
    stages: [{ share: 1, target: 5 }],
    steps: 4,
  };
  const write = (content: unknown) => {
    const directory = mkdtempSync(join(tmpdir(), 'profile-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const path = join(directory, 'mine.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return path;
  };

  test('the right one is read', () => {
    expect(loadProfile(write(good))).toMatchObject({
      name: 'mine',
      stages: [{ share: 1, target: 5, jump: false }],
    });
  });

  test.each([
    [{ ...good, model: 'half-open' }, 'model'],
    [{ ...good, thinkTimeSeconds: -1 }, 'thinkTimeSeconds'],
    [{ ...good, thinkTime: 1 }, 'thinkTime'],
    [{ ...good, start: 1.5 }, 'start'],
    [{ ...good, stages: [] }, 'stages'],
    [{ ...good, stages: [{ share: 0.5, target: 5 }] }, 'stages: shares must add up to 1'],
    [{ ...good, stages: [{ share: 1, target: -5 }] }, 'stages.0.target'],
    [{ ...good, steps: 0 }, 'steps'],
    [{ ...good, maxUsers: 5 }, 'maxUsers'],
    [
      { ...good, model: 'open', preAllocatedUsers: 9, maxUsers: 5 },
      'maxUsers: must not be below preAllocatedUsers',
    ],
    ['{ "name": ', 'is not JSON'],
  ])('%j', (content, message) => {
    expect(() => loadProfile(write(content))).toThrow(message);
  });

  test('an unknown name is answered with the known ones', () => {
    expect(() => loadProfile('artikel')).toThrow(
      "there is no load profile 'artikel'; known are arrival-rate, article",
    );
    expect(() => loadProfile('./nowhere.json')).toThrow('the load profile ./nowhere.json does not exist');
  });

  test.each([
    ['{"model":"x"}', 'load profile p: model must be'],
    [
      '{"model":"open","thinkTimeSeconds":0,"start":1,"stages":[{"share":0.4,"target":1}],"steps":1}',
      'shares that add up to 1',
    ],
  ])('the script itself refuses %s', (text, message) => {
    expect(() => parseProfile(text, 'p')).toThrow(message);
  });
});

test('random numbers depend on the seed alone and differ between users', () => {
  const draw = (seed: number, user: number) => {
    const random = seededRandom(mixSeeds(seed, user));
    return Array.from({ length: 5 }, () => Math.floor(random() * 360));
  };
  expect(draw(1, 1)).toEqual(draw(1, 1));
  const sequences = [draw(1, 1), draw(1, 2), draw(2, 1), draw(2, 2)].map((numbers) => numbers.join());
  expect(new Set(sequences).size).toBe(4);
  const random = seededRandom(7);
  const buckets = new Array<number>(10).fill(0);
  for (let i = 0; i < 10_000; i++) {
    const bucket = Math.floor(random() * 10);
    buckets[bucket] = (buckets[bucket] ?? 0) + 1;
  }
  for (const count of buckets) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
