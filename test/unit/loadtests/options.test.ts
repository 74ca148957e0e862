import { describe, expect, test } from 'vitest';
import { readOptions } from '../../../loadtests/src/engine/options.js';
import { parseStageFlags } from '../../../loadtests/src/engine/scenario-options.js';

const constant = { executor: 'constant-vus', duration: '10s' };
const scenario = (fields: object) => ({ scenarios: { load: { ...constant, ...fields } } });

describe('wrong options are named together with what is allowed', () => {
  test.each([
    [
      scenario({ executor: 'externally-controlled' }),
      "scenarios.load.executor 'externally-controlled' is not supported; supported are ramping-vus",
    ],
    [
      scenario({ gracefullStop: '1s' }),
      'scenarios.load.gracefullStop is not known; allowed are executor, startTime',
    ],
    [scenario({ vus: 0 }), 'scenarios.load.vus must be a whole number of at least 1, not 0'],
    [scenario({ vus: 'ten' }), 'scenarios.load.vus must be a whole number of at least 1, not "ten"'],
    [scenario({ duration: undefined }), 'scenarios.load.duration must be a duration of at least 1000 ms'],
    [scenario({ duration: '500ms' }), 'scenarios.load.duration must be a duration of at least 1000 ms'],
    [scenario({ startTime: 'later' }), 'scenarios.load.startTime must be a duration'],
    [scenario({ tags: { step: {} } }), 'scenarios.load.tags.step must be text, a number or a boolean'],
    [{ scenarios: {} }, 'scenarios must have at least one scenario'],
    [{ scenarios: [] }, 'scenarios must be an object'],
    [{ scenarios: { 'a b': constant } }, "the name 'a b' may have only letters"],
    [{ scenarios: { a: { executor: 'ramping-vus' } } }, 'scenarios.a.stages must be a list'],
    [
      { scenarios: { a: { executor: 'ramping-vus', stages: [{ target: 1 }] } } },
      'scenarios.a.stages[0].duration must be a duration',
    ],
    [
      { scenarios: { a: { executor: 'ramping-vus', stages: [{ duration: '1s' }] } } },
      'scenarios.a.stages[0].target must be a whole number',
    ],
    [
      { scenarios: { a: { executor: 'ramping-vus', stages: [{ duration: '1s', target: 1, goal: 2 }] } } },
      'scenarios.a.stages[0].goal is not known',
    ],
    [
      { scenarios: { a: { executor: 'ramping-vus', startVUs: 0, stages: [{ duration: '1s', target: 0 }] } } },
      'never has a virtual user',
    ],
    [
      { scenarios: { a: { executor: 'constant-arrival-rate', rate: 1, duration: '1s' } } },
      'scenarios.a.preAllocatedVUs must be a whole number',
    ],
    [
      {
        scenarios: {
          a: { executor: 'constant-arrival-rate', rate: 1, duration: '1s', preAllocatedVUs: 5, maxVUs: 4 },
        },
      },
      'scenarios.a.maxVUs must be at least 1 and not below preAllocatedVUs (5)',
    ],
    [
      { scenarios: { a: { executor: 'shared-iterations', vus: 5, iterations: 4 } } },
      'scenarios.a.iterations must not be below vus (5)',
    ],
    [
      { iterations: 1, stages: [{ duration: '1s', target: 1 }] },
      'iterations and stages cannot be used together',
    ],
    [{ rps: 10 }, 'options.rps is not supported by the built-in engine'],
    [{ tlsAuth: [] }, 'options.tlsAuth is not supported by the built-in engine'],
    [{ thresholds: [] }, 'options.thresholds must be an object'],
    [
      { summaryTrendStats: ['avg', 'p(200)'] },
      'options.summaryTrendStats may have avg, min, med, max, count and p(N)',
    ],
    [{ discardResponseBodies: 'yes' }, 'options.discardResponseBodies must be true or false'],
  ])('%j', (options, message) => {
    expect(() => readOptions(options)).toThrow(message);
  });
});

describe('shortcuts', () => {
  test.each([
    [{}, { executor: 'shared-iterations', vus: 1, iterations: 1 }],
    [
      { vus: 3, duration: '5s' },
      { executor: 'constant-vus', vus: 3, durationMs: 5_000 },
    ],
    [{ duration: 2_000 }, { executor: 'constant-vus', vus: 1, durationMs: 2_000 }],
    [
      { vus: 2, iterations: 6 },
      { executor: 'shared-iterations', vus: 2, iterations: 6 },
    ],
    [
      { vus: 2, iterations: 6, duration: '3s' },
      { executor: 'shared-iterations', maxDurationMs: 3_000 },
    ],
    [
      { vus: 2, stages: [{ duration: '1s', target: 5 }] },
      { executor: 'ramping-vus', startVUs: 2 },
    ],
  ])('%j stands for %j', (options, expected) => {
    const { scenarios } = readOptions(options);
    expect(scenarios).toHaveLength(1);
    expect(scenarios[0]).toMatchObject({
      name: 'default',
      exec: 'default',
      gracefulStopMs: 30_000,
      ...expected,
    });
  });

  test('given outside, they replace the scenarios of the script and say so', () => {
    const options = readOptions(scenario({}), { vus: 7, duration: '2s' });
    expect(options.scenarios).toMatchObject([{ name: 'default', executor: 'constant-vus', vus: 7 }]);
    expect(options.warnings).toEqual(['the load given outside the script replaces its scenarios']);
  });

  test('a number of users given outside keeps the duration of the script', () => {
    const { scenarios } = readOptions({ vus: 1, duration: '5s' }, { vus: 9 });
    expect(scenarios).toMatchObject([{ executor: 'constant-vus', vus: 9, durationMs: 5_000 }]);
  });

  test('stages given outside replace a duration of the script', () => {
    const { scenarios } = readOptions({ duration: '5s' }, { stages: parseStageFlags(['1s:3', '2s:0,1s:1']) });
    expect(scenarios).toMatchObject([
      { executor: 'ramping-vus', stages: [{ target: 3 }, { target: 0 }, { target: 1 }] },
    ]);
  });

  test.each(['10s', 'x:1', '10s:-1', '10s:1.5', ''])("the stage flag '%s' is refused", (flag) => {
    expect(() => parseStageFlags([flag])).toThrow('must be DURATION:VUS');
  });
});

test('defaults are those of k6', () => {
  expect(readOptions(undefined)).toMatchObject({
    summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)'],
    setupTimeoutMs: 60_000,
    maxRedirects: 10,
    batch: 20,
    batchPerHost: 6,
  });
  const { scenarios } = readOptions({
    scenarios: { ramp: { executor: 'ramping-vus', stages: [{ duration: '1s', target: 2 }] } },
  });
  expect(scenarios).toMatchObject([
    { startVUs: 1, startTimeMs: 0, gracefulStopMs: 30_000, gracefulRampDownMs: 30_000 },
  ]);
});

test('an unknown option is reported and ignored, one for a cloud service is ignored silently', () => {
  expect(readOptions({ cloud: {}, treshold: {} }).warnings).toEqual([
    'options.treshold is not known and was ignored',
  ]);
});
