import { describe, expect, it } from 'vitest';
import { buildResult } from '../../../lab/src/results/index.js';
import { BOTTLENECKS, loadScenarios } from '../../../lab/src/scenarios/index.js';
import { findExercise, interview } from '../../../lab/src/workshop/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const exercise = findExercise(loadScenarios(), 'serial');
const result = buildResult(cachedRecording({ scenario: 'serial' }));

/** A participant who says these lines and then is gone. */
async function conversation(...lines: string[]) {
  const said: string[] = [];
  const asked: string[] = [];
  const answer = await interview(
    { exercise, result },
    {
      say: (line) => said.push(line),
      ask: async (question) => {
        asked.push(question);
        return lines.shift() ?? null;
      },
    },
  );
  return { answer, said: said.join('\n'), asked };
}

describe('an interview', () => {
  it('takes an answer part by part, by name or by the number in the list', async () => {
    const place = String(BOTTLENECKS.indexOf('serial-fan-out') + 1);
    const { answer } = await conversation(place, '9', 'parallel-queries');
    expect(answer).toEqual({ bottleneck: 'serial-fan-out', evidence: [9], fix: 'parallel-queries' });
  });

  it('asks again for a part that is wrong or not understood, and goes on when it is right', async () => {
    const { answer, said, asked } = await conversation(
      ...['throttling', 'the network', 'serial-fan-out'],
      ...['900', 'nine', '9.1'],
      ...['more-cpu', 'queryFanout'],
    );
    expect(answer).toEqual({ bottleneck: 'serial-fan-out', evidence: [9.1], fix: 'parallel-queries' });
    expect(asked).toHaveLength(8);
    expect(said).toContain('0 % of requests were answered 429');
    expect(said).toContain('no bottleneck "the network"');
    expect(said).toContain('"nine" is not a number');
    expect(said).toContain('Nothing here waits for a processor.');
  });

  it('asks for numbers only when the bottleneck is right', async () => {
    const { answer, said, asked } = await conversation('errors', 'cpu-saturation');
    expect(answer).toBeNull();
    expect(new Set(asked)).toEqual(new Set(['What holds this run back? ']));
    expect(said).not.toContain(exercise.exercise.evidence[0]?.ask);
  });

  it('ends with an empty line, or when nobody is there any more', async () => {
    expect((await conversation('')).answer).toBeNull();
    expect((await conversation('serial-fan-out', ' ')).answer).toBeNull();
    expect((await conversation()).answer).toBeNull();
  });
});
