import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import {
  applyLength,
  boundsOf,
  findScenarios,
  KNOB_TABLE,
  knobs,
  loadScenarios,
  parseScenario,
  readScenario,
  SCENARIO_FOLDER,
  ScenarioError,
} from '../../../lab/src/scenarios/index.js';

const throttledFile = path.join(SCENARIO_FOLDER, 'throttled.yaml');
const source = readFileSync(throttledFile, 'utf8');

/** The scenario's text with one field set to another value, or removed when the value is undefined. */
function edited(field: string, value: unknown): string {
  const document = parse(source);
  const keys = field.split('.');
  const last = keys.pop() as string;
  const parent = keys.reduce((at, key) => at[key], document);
  if (value === undefined) delete parent[last];
  else parent[last] = value;
  return stringify(document);
}

function errorOf(text: string): ScenarioError {
  try {
    parseScenario(text, 'mine.yaml');
  } catch (error) {
    if (error instanceof ScenarioError) return error;
    throw error;
  }
  throw new Error('the scenario was accepted');
}

describe('the scenarios that come with the lab', () => {
  const scenarios = loadScenarios();

  const articleTests = scenarios.filter((one) => one.article !== undefined);

  it("are the article's four tests, in order, and three that go on from there", () => {
    expect(scenarios.map((one) => [one.name, one.article?.test])).toEqual([
      ['throttled', 1],
      ['serial', 2],
      ['parallel', 3],
      ['partition-key', 4],
      ['scale-out', undefined],
      ['notebook', undefined],
      ['hot-partition', undefined],
    ]);
  });

  it('of the article change one thing from each to the next', () => {
    const turned = articleTests.slice(1).map((one, at) => {
      const before = articleTests[at]?.knobs as unknown as Record<string, unknown>;
      return Object.entries(one.knobs)
        .filter(([knob, value]) => JSON.stringify(before[knob]) !== JSON.stringify(value))
        .map(([knob]) => knob);
    });
    expect(turned).toEqual([['ruPerSecond'], ['queryFanout'], ['partitionKey']]);
  });

  it('do not give the answer away in the question', () => {
    const answers: Record<string, RegExp> = {
      throttled: /429|throttl|request unit|cosmos/i,
      serial: /one after another|serial|fan-?out/i,
      parallel: /cross-partition|slowest|\bRU\b/i,
      'partition-key': /delivery|cpu/i,
      'scale-out': /429|request unit|RU\/s/i,
      notebook: /429|throttl|request unit/i,
      'hot-partition': /physical partition|\bhot\b|spread/i,
    };
    for (const { name, teaching } of scenarios) {
      expect(teaching.question).not.toMatch(answers[name] as RegExp);
      expect(teaching.answer).toMatch(answers[name] as RegExp);
      expect(teaching.question).toContain('?');
    }
  });

  it('have a row in the knob table for each knob, and no others', () => {
    expect(Object.keys(KNOB_TABLE).toSorted()).toEqual(Object.keys(knobs.shape).toSorted());
  });

  it('say of each knob what it becomes on every target', () => {
    for (const [name, row] of Object.entries(KNOB_TABLE)) {
      const local = [row.environment, row.cosmosOffer, row.emulator, row.replicasOf ?? null].filter(
        (one) => one !== null,
      );
      expect(local, name).toHaveLength(1);
      expect(row.helmValue, name).toMatch(/^[a-zA-Z.]+$/);
      expect(row.composeVariable, name).toMatch(/^[A-Z_]+$/);
    }
  });
});

describe('a wrong field', () => {
  it.each([
    [
      'knobs.ruPerSecond',
      12,
      'knobs.ruPerSecond: must be a whole number from 400 to 1000000 (RU/s of one utilization container), not 12',
    ],
    [
      'knobs.ruPerSecond',
      '900',
      'knobs.ruPerSecond: must be a whole number from 400 to 1000000 (RU/s of one utilization container), not "900"',
    ],
    ['knobs.queryFanout', 'both', 'knobs.queryFanout: must be one of serial, parallel, not "both"'],
    ['knobs.partitionKey', undefined, 'knobs.partitionKey: is missing; must be one of deliveryId, ownerId'],
    ['knobs.burst', { seconds: 3 }, 'knobs.burst: unknown field "seconds"; allowed: secondsPerLoadSecond'],
    [
      'knobs.queryLatency.meanMs',
      -1,
      'knobs.queryLatency.meanMs: must be a number from 0 to 60000 (milliseconds), not -1',
    ],
    ['schemaVersion', 1, 'schemaVersion: must be the text "1.0", not 1'],
    [
      'name',
      'Throttled!',
      'name: must be 2 to 40 lower-case letters, digits and hyphens, beginning with a letter, not "Throttled!"',
    ],
    ['article.test', 5, 'article.test: must be 1, 2, 3 or 4, not 5'],
    ['expected.bottleneck', 'gremlins', 'expected.bottleneck: must be one of throttling,'],
    ['teaching.hints', [], 'teaching.hints: must have at least one hint, not []'],
    ['teaching.question', '  ', 'teaching.question: must be text that is not empty'],
    ['colour', 'red', 'unknown field "colour"; allowed: schemaVersion, name,'],
    ['load.profile', 'artcle', 'load.profile: must be the name of a load profile: arrival-rate, article,'],
  ])('%s = %j is named with what is allowed', (field, value, message) => {
    const error = errorOf(edited(field, value));
    expect(error.code).toBe('SCENARIO_INVALID');
    expect(error.message).toContain(`mine.yaml: ${message}`);
  });

  it('does not hide the others', () => {
    const text = edited('knobs.ruPerSecond', 1).replace('serial', 'sideways');
    expect(errorOf(text).message.split('\n')).toHaveLength(2);
  });

  it.each([
    [
      { measure: 'throughput.maen', min: 1 },
      'expected.measures.0.measure: must be the name of a measure: throughput.mean,',
    ],
    [{ measure: 'throughput.mean' }, 'must give min, max, or value and tolerancePercent'],
    [{ measure: 'throughput.mean', value: 3 }, 'must give value and tolerancePercent together'],
    [
      { measure: 'throughput.mean', value: 3, tolerancePercent: 5, max: 9 },
      'must give either min and max or value',
    ],
    [{ measure: 'throughput.mean', min: 3, max: 2 }, 'min 3 must not be above max 2'],
  ])('an expected range %j is refused', (range, message) => {
    expect(errorOf(edited('expected.measures', [range])).message).toContain(message);
  });

  it('a file that is not YAML is named with the position', () => {
    const error = errorOf('name: [throttled\norder: 1');
    expect(error.code).toBe('SCENARIO_NOT_YAML');
    expect(error.message).toMatch(/^mine\.yaml: .*line \d/s);
  });

  it('a file that holds something else is refused', () => {
    expect(errorOf('just text').code).toBe('SCENARIO_INVALID');
    expect(errorOf('').code).toBe('SCENARIO_INVALID');
  });
});

describe('a folder of scenarios', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'lab-scenarios-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });
  const put = (name: string, text: string) => writeFileSync(path.join(folder, name), text);

  it('takes a scenario that a trainer adds', () => {
    put('mine.yaml', edited('name', 'mine'));
    put('notes.txt', 'not a scenario');
    expect(loadScenarios(folder).map((one) => one.name)).toEqual(['mine']);
  });

  it.each(['name', 'order'])('refuses two of the same %s and names both files', (field) => {
    put('a.yaml', source);
    put('b.yaml', field === 'name' ? edited('order', 2) : edited('name', 'other'));
    expect(() => loadScenarios(folder)).toThrow(
      expect.objectContaining({
        code: 'SCENARIO_DUPLICATE',
        message: expect.stringMatching(new RegExp(`b\\.yaml: ${field} .* is taken by .*a\\.yaml`)),
      }),
    );
  });

  it('lists the known names for an unknown one', () => {
    expect(() => findScenarios(['throttled', 'trottled'])).toThrow(
      'unknown scenario "trottled"; known: throttled, serial, parallel, partition-key',
    );
  });

  it('keeps the order asked for', () => {
    expect(findScenarios(['serial', 'throttled']).map((one) => one.name)).toEqual(['serial', 'throttled']);
  });

  it('that is not there, or a file that is not there, is named', () => {
    const missing = path.join(folder, 'nowhere');
    expect(() => loadScenarios(missing)).toThrow(expect.objectContaining({ code: 'SCENARIO_UNREADABLE' }));
    expect(() => readScenario(path.join(folder, 'x.yaml'))).toThrow(/x\.yaml/);
  });
});

describe('values that depend on others', () => {
  it.each([
    [60, 1.25],
    [480, 10],
    [0, 0],
  ])('a load of %i s saves %d s of throughput', (seconds, burstSeconds) => {
    const applied = applyLength(readScenario(throttledFile).knobs, seconds);
    expect(applied.burstSeconds).toBe(burstSeconds);
    expect(applied).not.toHaveProperty('burst');
  });

  it('a tolerance becomes bounds', () => {
    expect(boundsOf({ value: 20, tolerancePercent: 15 })).toEqual({ min: 17, max: 23 });
    expect(boundsOf({ min: 1 })).toEqual({ min: 1, max: null });
    expect(boundsOf({ value: -10, tolerancePercent: 10 })).toEqual({ min: -11, max: -9 });
  });
});
