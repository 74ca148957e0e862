import { describe, expect, it } from 'vitest';
import { kneeUsers, type StepStatistics } from '../../../lab/src/analysis/step-statistics.js';
import { cachedRecording, explain } from '../lab-analysis/model/cached.js';
import { loadRow, smallRecording } from '../lab-analysis/small-recording.js';

/** Steps of a load by users and req/s. */
const curve = (...points: [users: number, requestsPerSecond: number][]): StepStatistics[] =>
  points.map(([users, requestsPerSecond], at) => ({
    name: String(at + 1),
    fromSecond: at * 5,
    toSecond: at * 5 + 5,
    users,
    measures: { 'throughput.mean': requestsPerSecond },
  }));

describe('the knee of a curve', () => {
  it('is where throughput stops following the users', () => {
    // One request per user and second up to 25, whatever comes then: 30 users get 83 %, 35 get 71 %.
    expect(kneeUsers(curve([5, 5], [10, 10], [15, 15], [20, 20], [25, 25], [30, 25], [35, 25]))).toBe(35);
    expect(kneeUsers(curve([5, 5], [10, 10], [15, 15], [20, 12], [25, 12]))).toBe(20);
  });

  it('is not there when throughput keeps up, or falls behind a little', () => {
    expect(kneeUsers(curve([5, 5], [10, 10], [15, 15], [20, 20], [40, 40]))).toBeNull();
    expect(kneeUsers(curve([5, 5], [10, 10], [15, 15], [20, 19], [40, 33]))).toBeNull();
  });

  it('is not a dip from which throughput recovers', () => {
    expect(kneeUsers(curve([5, 5], [10, 10], [15, 15], [20, 8], [25, 25], [30, 30]))).toBeNull();
  });

  it('is not mistaken for a first step that had hardly any users', () => {
    expect(kneeUsers(curve([1, 2], [10, 10], [15, 15], [20, 20], [25, 24], [30, 29]))).toBeNull();
  });

  it('can not be told from three steps, nor without throughput', () => {
    expect(kneeUsers(curve([5, 5], [10, 10], [15, 5]))).toBeNull();
    expect(kneeUsers(curve([5, 0], [10, 0], [15, 0], [20, 0]))).toBeNull();
  });

  it.each([1, 2, 3, 4, 5])(
    'seed %i: is evidence of throttling in a long run, and absent where nothing is used up',
    (seed) => {
      const throttled = explain(cachedRecording({ scenario: 'throttled', seed }));
      const serial = explain(cachedRecording({ scenario: 'serial', seed }));
      expect(serial.analysis.measures).not.toHaveProperty(['load.kneeUsers']);
      const knee = throttled.analysis.measures['load.kneeUsers'];
      const evidence = throttled.diagnosis.findings[0]?.evidence.find((one) =>
        one.measures.includes('load.kneeUsers'),
      );
      expect(evidence === undefined).toBe(knee === undefined);
      if (knee !== undefined) {
        expect(knee).toBeGreaterThan(25);
        expect(evidence).toMatchObject({ query: 'percentiles-per-step' });
      }
    },
  );
});

describe('a run in which no rule found anything', () => {
  const seconds = Array.from({ length: 40 }, (_, at) => at);
  const first = (rate: (users: number) => number, plannedSeconds = 40) => {
    const rows = seconds.map((at) =>
      loadRow({ at, users: at + 1, durationsMs: Array(Math.round(rate(at + 1))).fill(100) }),
    );
    // Think time fits what users brought, so that the measurement agrees with itself.
    const { diagnosis } = explain(smallRecording(rows, { plannedSeconds }, { thinkTimeSeconds: 0.9 }));
    return diagnosis.findings[0];
  };

  it('says that throughput followed the users', () => {
    expect(first((users) => users)).toMatchObject({
      name: 'none-found',
      evidence: expect.arrayContaining([
        expect.objectContaining({ text: 'throughput followed the users up to the last of 40' }),
      ]),
    });
  });

  it('says that it did not, though nothing is known to be used up', () => {
    const { diagnosis, validity } = (() => {
      const rows = seconds.map((at) => {
        const served = Math.min(at + 1, 24);
        // Little's law: users = served × (latency + think time).
        const latencyMs = ((at + 1) / served - 0.9) * 1000;
        return loadRow({ at, users: at + 1, durationsMs: Array(served).fill(latencyMs) });
      });
      return explain(smallRecording(rows, { plannedSeconds: 40 }, { thinkTimeSeconds: 0.9 }));
    })();
    expect(validity.valid).toBe(true);
    expect(diagnosis.findings[0]).toMatchObject({ name: 'none-found', confidence: 'medium' });
    expect(diagnosis.findings[0]?.evidence[0]?.text).toMatch(
      /^throughput stopped following the users at about 3\d users, though no rule says why$/,
    );
  });
});
