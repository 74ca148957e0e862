import { describe, expect, it } from 'vitest';
import { type CpuProfile, hottestFunctions } from '../../../lab/src/workshop/profile-summary.js';

const node = (id: number, functionName: string, url = '', lineNumber = -1) => ({
  id,
  callFrame: { functionName, url, lineNumber },
});

/** Ten milliseconds in all: 4 idle, 3 in `near` (called from two places), 2 in `far`, 1 in the collector. */
const PROFILE: CpuProfile = {
  nodes: [
    node(1, '(root)'),
    node(2, '(idle)'),
    node(3, 'near', 'file:///app/dist/geometry.js', 9),
    node(4, 'near', 'file:///app/dist/geometry.js', 9),
    node(5, 'far', 'file:///app/dist/geometry.js', 20),
    node(6, '(garbage collector)'),
  ],
  samples: [2, 3, 5, 4, 6, 2],
  timeDeltas: [0, 4_000, 2_000, 2_000, 1_000, 1_000],
};

describe('the hottest functions of a profile', () => {
  it('are those with most time of their own, idle time left out', () => {
    expect(hottestFunctions(PROFILE, 2)).toEqual([
      { name: 'near', place: 'geometry.js:10', selfMs: 3, percent: 50 },
      { name: 'far', place: 'geometry.js:21', selfMs: 2, percent: expect.closeTo(33.3, 1) },
    ]);
    expect(hottestFunctions(PROFILE, 9).at(-1)).toMatchObject({ name: '(garbage collector)', place: '' });
  });

  it('are none when the process was idle', () => {
    expect(hottestFunctions({ ...PROFILE, samples: [2, 2] }, 5)).toEqual([]);
  });
});
