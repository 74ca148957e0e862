import { describe, expect, it } from 'vitest';
import { type Block, judgeAgainst, type Round } from '../../../lab/src/ci/judge-against.js';
import { failures, verdictOf } from '../../../lab/src/ci/verdict.js';
import { seededRandom } from '../../../lab/src/seed/random.js';
import { COUNTS } from './measured-load.js';

const RULES = { confidence: 0.95, smallestPercent: 3 };

function block(factor: number, changes: Partial<Block> = {}): Block {
  return {
    counts: COUNTS,
    times: { p50Ms: 20 * factor, p95Ms: 40 * factor, requestsPerSecond: 100 / factor },
    tooBusy: '',
    ...changes,
  };
}

/** Rounds on a machine whose speed changes from round to round, with a little noise of each load. */
function rounds(options: { seed: number; ratio: number; count?: number; target?: Partial<Block> }): Round[] {
  const random = seededRandom(options.seed);
  const noise = () => 1 + 0.08 * (random() - 0.5);
  return Array.from({ length: options.count ?? 8 }, () => {
    const machine = 0.7 + random();
    return {
      target: block(machine * options.ratio * noise(), options.target),
      against: block(machine * noise()),
    };
  });
}

describe('times of two systems', () => {
  it('catch a system that is a fifth slower on a machine that is twice as slow at times', () => {
    const { cases, changes } = judgeAgainst(rounds({ seed: 1, ratio: 1.2 }), RULES);
    expect(failures(cases)).toEqual([
      expect.stringMatching(/requests\.p50Ms is \d+(\.\d+)? % higher than against \(interval .* to .* %\)/),
      expect.stringContaining('requests.p95Ms is'),
      expect.stringMatching(/requests\.perSecond is .* % lower than against/),
    ]);
    expect(changes.map(({ pairs }) => pairs)).toEqual([8, 8, 8]);
  });

  it('pass two equal systems nearly always, for whatever seed', () => {
    const verdicts = Array.from({ length: 400 }, (_, seed) =>
      verdictOf(judgeAgainst(rounds({ seed, ratio: 1 }), { ...RULES, smallestPercent: 0 }).cases),
    );
    // 95 % for all times together, of which only the worse half of the rest fails.
    expect(verdicts.filter((verdict) => verdict === 'failed').length).toBeLessThan(400 * 0.05);
  });

  it('pass a faster system, and say that it is better', () => {
    const { cases } = judgeAgainst(rounds({ seed: 3, ratio: 0.8 }), RULES);
    expect(verdictOf(cases)).toBe('passed');
    expect(cases.find(({ name }) => name === 'requests.p50Ms')?.text).toContain('better');
  });

  it('pass a change that is certain and too small to matter', () => {
    const { cases } = judgeAgainst(rounds({ seed: 1, ratio: 1.2 }), { ...RULES, smallestPercent: 50 });
    expect(verdictOf(cases)).toBe('passed');
    expect(cases.find(({ name }) => name === 'requests.p50Ms')?.text).toContain('less than 50 %');
  });

  it('leave out rounds of a busy machine, and are undecided when too few remain', () => {
    const some = rounds({ seed: 1, ratio: 1.5 }).map((round, at) =>
      at < 3 ? { ...round, target: { ...round.target, tooBusy: 'no CPU' } } : round,
    );
    const judged = judgeAgainst(some, RULES);
    expect(judged.changes[0]?.pairs).toBe(5);
    const busy = judgeAgainst(rounds({ seed: 1, ratio: 1.5, target: { tooBusy: 'no CPU' } }), RULES);
    expect(verdictOf(busy.cases)).toBe('undecided');
  });

  it('do not judge a rate that loads are too short for', () => {
    const times = { p50Ms: 20, p95Ms: 40, requestsPerSecond: null };
    const { cases } = judgeAgainst(rounds({ seed: 1, ratio: 1, target: { times } }), RULES);
    expect(cases.find(({ name }) => name === 'requests.perSecond')?.outcome).toBe('skipped');
  });
});

describe('counts of two systems', () => {
  it('are added up over all rounds and judged strictly', () => {
    const counts = { ...COUNTS, failed: 1, counters: { ru: 1_800 } };
    const { cases } = judgeAgainst(rounds({ seed: 1, ratio: 1, target: { counts } }), RULES);
    expect(failures(cases)).toEqual([
      'against: requests.failedPercent rose from 0 % to 0.1 % (allowed none)',
      'against: ru.perIteration rose from 3 per iteration to 3.6 per iteration (+20 %, allowed ±0.12 per iteration)',
    ]);
  });

  it('fail for a check that only the other has', () => {
    const { cases } = judgeAgainst(
      rounds({ seed: 1, ratio: 1, target: { counts: { ...COUNTS, checks: {} } } }),
      RULES,
    );
    expect(failures(cases)).toEqual([expect.stringContaining('check.failedPercent{status is 200} is gone')]);
  });
});
