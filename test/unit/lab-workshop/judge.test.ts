import { describe, expect, it } from 'vitest';
import type { RunMeta } from '../../../lab/src/recording/recording.js';
import { buildResult, type RunResult } from '../../../lab/src/results/index.js';
import { loadScenarios } from '../../../lab/src/scenarios/index.js';
import { parseAnswer, parseFix, parseNumber } from '../../../lab/src/workshop/answer.js';
import {
  type Answer,
  exercisesOf,
  findExercise,
  judgeAnswer,
  type WorkshopExercise,
} from '../../../lab/src/workshop/index.js';
import { measuredValue } from '../../../lab/src/workshop/judge.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';
import type { SyntheticOptions } from '../lab-analysis/model/synthetic-recording.js';

const scenarios = loadScenarios();

/** Models of runs: what the scenario's own load and knobs give. */
const MODELS: [scenario: string, options: SyntheticOptions][] = [
  ['throttled', {}],
  ['serial', {}],
  ['parallel', {}],
  ['partition-key', {}],
  ['hot-partition', { hotShare: 0.5 }],
];

function modelled(scenario: string, options: SyntheticOptions = {}, meta: Partial<RunMeta> = {}): RunResult {
  const recording = cachedRecording({ scenario, ...options });
  return buildResult({ ...recording, meta: { ...recording.meta, ...meta } });
}

/** What somebody answers who has read everything right. */
function rightAnswer({ scenario, exercise }: WorkshopExercise, result: RunResult): Answer {
  const [fix] = exercise.fixes;
  const bottleneck = scenario.expected?.bottleneck;
  if (fix === undefined || bottleneck === undefined) throw new Error(scenario.name);
  return {
    bottleneck,
    evidence: exercise.evidence.map((asked) => measuredValue(asked, result) ?? Number.NaN),
    fix,
  };
}

function judged(
  scenario: string,
  change: Partial<Answer> = {},
  result = modelled(scenario, new Map(MODELS).get(scenario)),
) {
  const exercise = findExercise(scenarios, scenario);
  return judgeAnswer({ exercise, answer: { ...rightAnswer(exercise, result), ...change }, result });
}

describe.each(MODELS)('the exercise on %s', (scenario, options) => {
  const exercise = findExercise(scenarios, scenario);
  const result = modelled(scenario, options);

  it('takes the answer that its run gives, and says what to do next', () => {
    const judgement = judgeAnswer({ exercise, answer: rightAnswer(exercise, result), result });
    expect(judgement).toMatchObject({ right: true, bottleneck: { ok: true }, fix: { ok: true } });
    expect(judgement.evidence.every((one) => one.ok === true && one.measured !== null)).toBe(true);
    expect(judgement.bottleneck.reply).toMatch(/^Yes: \D+\d?\.$/);
    expect(judgement.afterwards).toBe(exercise.exercise.afterwards);
  });

  it('takes numbers as they are read from a chart, and no others', () => {
    const answer = rightAnswer(exercise, result);
    const times = (factor: number) =>
      judgeAnswer({
        exercise,
        answer: { ...answer, evidence: answer.evidence.map((value) => value * factor) },
        result,
      });
    expect(times(1.03).right).toBe(true);
    for (const wrong of [times(3), times(0.3)]) {
      expect(wrong.right).toBe(false);
      expect(wrong.evidence[0]).toMatchObject({ ok: false, measured: null });
      expect(wrong.afterwards).toBeNull();
    }
  });

  it('never names the right bottleneck to somebody who named another', () => {
    const right = exercise.scenario.expected?.bottleneck as string;
    for (const other of ['connection-pool', 'errors', 'none-found'] as const) {
      const judgement = judgeAnswer({
        exercise,
        answer: { ...rightAnswer(exercise, result), bottleneck: other },
        result,
      });
      expect(judgement).toMatchObject({ right: false, bottleneck: { ok: false }, fix: { ok: null } });
      expect(judgement.evidence.every((one) => one.ok === null && one.ask === null)).toBe(true);
      expect(JSON.stringify({ ...judgement, run: '' })).not.toContain(right);
      expect(judgement.bottleneck.reply.length).toBeGreaterThan(20);
    }
  });
});

describe('a reply', () => {
  it('to a bottleneck that is not there has the numbers of the run', () => {
    expect(judged('throttled', { bottleneck: 'cpu-saturation' }).bottleneck.reply).toMatch(
      /^Not in this run: .*delivery: \d+ % of its CPU limit/,
    );
  });

  it('to a bottleneck that is there and does not decide says so', () => {
    expect(judged('throttled', { bottleneck: 'serial-fan-out' }).bottleneck).toMatchObject({
      ok: false,
      reply: expect.stringMatching(/^That is so as well .*not what holds this run back/),
    });
    expect(judged('hot-partition', { bottleneck: 'throttling' }).bottleneck.reply).toMatch(
      /^That is so as well/,
    );
  });

  it('to right digits in another unit names the unit', () => {
    const right = judged('partition-key').evidence[0]?.measured as number;
    expect(judged('partition-key', { evidence: [right / 100] }).evidence[0]).toMatchObject({
      ok: false,
      reply: 'Right digits, another unit: the question asks for %.',
    });
  });

  it('to a missing number asks for it, once the bottleneck is right', () => {
    const [asked] = findExercise(scenarios, 'serial').exercise.evidence;
    expect(judged('serial', { evidence: [] }).evidence).toEqual([
      {
        ask: asked?.ask,
        given: null,
        measured: null,
        ok: false,
        reply: `A number is missing. ${asked?.ask}`,
      },
    ]);
  });

  it('to a fix against something else says what that would need', () => {
    expect(judged('serial', { fix: 'more-replicas' }).fix).toMatchObject({
      ok: false,
      reply: expect.stringMatching(
        /helps against cpu-saturation\. Not in this run: .*delivery: \d+ % of its CPU limit/,
      ),
    });
  });

  it('to a fix that a run can not refute comes from the exercise', () => {
    const { replies } = findExercise(scenarios, 'hot-partition').exercise;
    expect(judged('hot-partition', { fix: 'more-request-units' }).fix).toEqual({
      given: 'more-request-units',
      ok: false,
      reply: replies['more-request-units'],
    });
  });
});

describe('the same answer', () => {
  it('is judged by the run, not by the exercise', () => {
    // 90,000 RU/s: nothing is throttled in a run of the scenario whose exercise is about throttling.
    const roomy = modelled('throttled', { knobs: { ruPerSecond: 90_000 } });
    const judgement = judged('throttled', {}, roomy);
    expect(judgement).toMatchObject({ right: false, bottleneck: { ok: false } });
    expect(judgement.bottleneck.reply).toMatch(/0 % of requests were answered 429/);
  });

  it.each<[string, RunResult, RegExp]>([
    [
      'was broken off',
      modelled('serial', {}, { status: 'broken', reason: 'delivery was killed' }),
      /delivery was killed/,
    ],
    [
      'had knobs turned',
      modelled('serial', {}, { turnedKnobs: [{ second: 3, knob: 'x', from: 1, to: 2 }] }),
      /turned/,
    ],
  ])('is not judged by a run that %s', (_case, result, why) => {
    expect(() => judged('serial', {}, result)).toThrow(
      expect.objectContaining({ code: 'RUN_NOT_JUDGEABLE', message: expect.stringMatching(why) }),
    );
  });
});

describe('what is typed', () => {
  it.each([
    ['14.2', 14.2],
    [' 14,2 ', 14.2],
    ['14 %', 14],
    ['136 RU/s', 136],
    ['1,200', 1_200],
    ['-3', -3],
  ])('%j is %d', (text, value) => expect(parseNumber(text)).toBe(value));

  it.each(['', 'many', '1.2.3', '%', '12 or 13'])('%j is no number', (text) => {
    expect(() => parseNumber(text)).toThrow(expect.objectContaining({ code: 'ANSWER_INCOMPLETE' }));
  });

  it('names what is allowed', () => {
    const given = { bottleneck: 'the network', evidence: [], fix: 'cache' };
    expect(() => parseAnswer(given, 1)).toThrow(
      /no bottleneck "the network"; known: throttling, serial-fan-out/,
    );
    expect(() => parseFix('reboot')).toThrow(/no fix "reboot"; known: more-request-units \(provision/);
    expect(() => parseAnswer({ ...given, bottleneck: 'errors', evidence: ['1', '2'] }, 1)).toThrow(
      '--evidence takes one number here, not 2',
    );
  });

  it('may be a knob instead of a fix', () => {
    expect(parseFix('ruPerSecond')).toBe('more-request-units');
    expect(parseFix('deliveryReplicas')).toBe('more-replicas');
  });

  it('as an exercise may be its number or its scenario', () => {
    expect(findExercise(scenarios, '2').scenario.name).toBe('serial');
    expect(findExercise(scenarios, 'serial').exercise.number).toBe(2);
    expect(() => findExercise(scenarios, '9')).toThrow(
      /no exercise "9"; there are 1 \(throttled\), 2 \(serial\)/,
    );
  });
});

it('the exercises are numbered from 1 and ask for numbers that a run has', () => {
  const exercises = exercisesOf(scenarios);
  expect(exercises.map(({ exercise }) => exercise.number)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  for (const { scenario, exercise } of exercises) {
    const result = modelled(scenario.name, new Map(MODELS).get(scenario.name));
    for (const asked of exercise.evidence) expect(measuredValue(asked, result), asked.ask).not.toBeNull();
  }
});
