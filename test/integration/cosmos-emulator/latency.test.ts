import type { Container } from '@azure/cosmos';
import { describe, expect, test } from 'vitest';
import { control, type Fixture, startFixture } from './fixture.js';

const OWNER = { paths: ['/ownerId'], version: 2 };

/** A clock that stands still: a second ends only when a test says so. */
function _manualClock(startMs = 1_700_000_000_000) {
  const clock = { ms: startMs, now: () => clock.ms };
  return clock;
}

async function _fill(container: Container, count: number): Promise<void> {
  for (let i = 0; i < count; i++) await container.items.create({ id: `i${i}`, ownerId: `o${i}` });
}

async function _metrics({ emulator }: Fixture, since = 0) {
  return (await control(emulator, `metrics?since=${since}`)).body;
}

const _NO_RETRY = { connectionPolicy: { retryOptions: { maxRetryAttemptCount: 0 } } };

describe('the latency model', () => {
  test('the same seed gives the same latencies; 30 % pass before the request is admitted', async () => {
    const latencies = async (seed: number) => {
      await using fixture = await startFixture({ emulator: { seed } });
      const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
      const latency = { pointRead: { meanMs: 30, coefficientOfVariation: 1 } };
      await fixture.control('containers/db/c/model', { method: 'PATCH', body: { latency } });
      const values: number[] = [];
      for (let i = 0; i < 12; i++) {
        const start = performance.now();
        await container.item('none', 'o').read();
        values.push(performance.now() - start);
      }
      return values;
    };
    const [first, again, other] = [await latencies(5), await latencies(5), await latencies(6)];
    const order = (values: number[]) =>
      [...values.keys()].sort((a, b) => (values[a] as number) - (values[b] as number));
    // Ranks, as times differ by what the machine adds; neighbours may swap.
    const distance = (a: number[], b: number[]) =>
      order(a).reduce((sum, index, rank) => sum + Math.abs(rank - order(b).indexOf(index)), 0);
    expect(distance(first, again)).toBeLessThan(distance(first, other));
  });

  test('a client that leaves while its request is on the way is not charged', async () => {
    await using fixture = await startFixture();
    const container = await fixture.container({ id: 'c', partitionKey: OWNER, throughput: 400 });
    const latency = { query: { meanMs: 200, coefficientOfVariation: 0 } };
    await fixture.control('containers/db/c/model', { method: 'PATCH', body: { latency } });
    const abort = new AbortController();
    setTimeout(() => abort.abort(), 5);
    const query = container.items.query('SELECT * FROM c', { partitionKey: 'o', abortSignal: abort.signal });
    await expect(query.fetchAll()).rejects.toThrow();
    await container.items.query('SELECT * FROM c', { partitionKey: 'o' }).fetchAll();
    const { body } = await fixture.control('metrics');
    expect(body.operations.query.requests).toBe(1);
  });
});
