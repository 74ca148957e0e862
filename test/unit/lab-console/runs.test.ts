import { describe, expect, it } from 'vitest';
import { createFollowedRun } from '../../../lab/src/console/followed-run.js';
import { createLiveRun } from '../../../lab/src/console/live-run.js';
import { findScenarios } from '../../../lab/src/scenarios/index.js';
import type { LoadNews } from '../../../lab/src/stack/load-board.js';

const [scenario] = findScenarios(['throttled']);
const sealedRun = () =>
  createLiveRun({ scenario: scenario as NonNullable<typeof scenario>, plannedSeconds: 60, sealed: true });

describe('a run that is sealed', () => {
  it('stays so when it is complete', () => {
    const run = sealedRun();
    expect(run.view().sealed).toBe(true);
    run.ended('complete', '');
    expect(run.view().sealed).toBe(true);
  });

  it.each([
    ['complete', 'the machine was too busy'],
    ['broken', 'delivery was killed'],
    ['interrupted', 'stopped from the console'],
  ] as const)('hides nothing when it can not be judged: %s, %s', (state, detail) => {
    const run = sealedRun();
    run.ended(state, detail);
    expect(run.view()).toMatchObject({ sealed: false, state, detail });
  });
});

describe('a run of another process', () => {
  const load = {
    ...{ run: '20260101T000000Z-throttled-0001', scenario: 'throttled', plannedSeconds: 60, pid: 7 },
    ...{ usersFixed: '', phase: 'knobs', loadStartMs: null, users: null, limitedServices: [] as string[] },
  };
  const news = (change: Partial<LoadNews>): LoadNews => ({
    version: 1,
    load,
    points: [],
    turns: [],
    ...change,
  });

  it('is shown from its preparation to its end', () => {
    const run = createFollowedRun(load);
    run.take(news({}));
    expect(run.view()).toMatchObject({ state: 'preparing', detail: 'knobs', elsewhere: { pid: 7 } });
    expect(run.view().steps).toHaveLength(8);
    const under = { ...load, phase: 'load', loadStartMs: 10_000, users: 1, limitedServices: ['delivery'] };
    const turn = { sequence: 1, atMs: 12_500, knob: 'users', from: 1, to: 60 };
    expect(run.take(news({ load: under, points: [{ second: 0 }], turns: [turn] }))).toEqual([{ second: 0 }]);
    run.take(news({ load: under, points: [{ second: 1 }], turns: [turn] }));
    expect(run.view()).toMatchObject({
      state: 'loading',
      points: [{ second: 0 }, { second: 1 }],
      turns: [{ second: 2.5, knob: 'users', from: 1, to: 60 }],
      limitedServices: ['delivery'],
    });
    run.take(news({ load: { ...under, phase: 'telemetry' } }));
    expect(run.view().state).toBe('finishing');
    run.ended('');
    expect(run.view().state).toBe('complete');
  });

  it('that is a mystery has its other name only', () => {
    const { title, steps } = createFollowedRun({ ...load, scenario: 'mystery' }).view();
    expect({ title, steps: steps.length }).toEqual({ title: 'What is it this time?', steps: 8 });
  });
});
