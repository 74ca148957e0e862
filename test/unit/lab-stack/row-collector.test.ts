import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { createRowCollector } from '../../../lab/src/runner/row-collector.js';
import type { RowSource } from '../../../lab/src/runner/row-source.js';

const partition = (second: number, container = 'utilization'): MeasurementRow => ({
  kind: 'partition',
  second,
  container,
  partition: '0',
  requests: 1,
  throttled: 0,
  requestUnits: 3,
  provisionedRuPerSecond: 100,
});

/** A source that holds one row per second up to `newest`, and can fail. */
function history(name: string) {
  const state = { newest: 0, failing: false, asked: [] as number[] };
  const source: RowSource = {
    name,
    async poll(since) {
      state.asked.push(since);
      if (state.failing) throw new Error('busy');
      const rows: MeasurementRow[] = [];
      for (let second = since + 1; second <= state.newest; second += 1) rows.push(partition(second, name));
      return { second: state.newest, rows };
    },
  };
  return { state, source };
}

const seconds = (rows: readonly MeasurementRow[]) => rows.map((row) => row.second);

describe('row collector', () => {
  it('takes every row once and asks only for newer ones', async () => {
    const { state, source } = history('a');
    const collector = createRowCollector({ sources: [source], afterSecond: 100 });
    state.newest = 102;
    expect(seconds(await collector.poll())).toEqual([101, 102]);
    expect(await collector.poll()).toEqual([]);
    state.newest = 104;
    expect(seconds(await collector.poll())).toEqual([103, 104]);
    expect(seconds(collector.rows)).toEqual([101, 102, 103, 104]);
    expect(state.asked).toEqual([100, 102, 102]);
  });

  it('loses nothing when a source does not answer for a while', async () => {
    const { state, source } = history('a');
    const collector = createRowCollector({ sources: [source], afterSecond: 0 });
    state.newest = 1;
    await collector.poll();
    state.failing = true;
    state.newest = 3;
    expect(await collector.poll()).toEqual([]);
    expect(collector.completeSecond()).toBe(1);
    state.failing = false;
    await collector.poll();
    expect(seconds(collector.rows)).toEqual([1, 2, 3]);
  });

  it('counts no row twice when two polls overlap', async () => {
    const { state, source } = history('a');
    const collector = createRowCollector({ sources: [source], afterSecond: 0 });
    state.newest = 2;
    await Promise.all([collector.poll(), collector.poll()]);
    expect(seconds(collector.rows)).toEqual([1, 2]);
  });

  it('polls at the end until every source has given the last second', async () => {
    const fast = history('fast');
    const slow = history('slow');
    fast.state.newest = 10;
    slow.state.newest = 8;
    const collector = createRowCollector({
      sources: [fast.source, slow.source],
      afterSecond: 0,
      delay: async () => {
        slow.state.newest += 1;
      },
    });
    expect(await collector.pollUntil(10, 60_000)).toEqual([]);
    expect(collector.completeSecond()).toBe(10);
    slow.state.failing = true;
    expect(await collector.pollUntil(11, 0)).toEqual(['fast', 'slow']);
  });

  it('adds what a process sent when it ended, without what it had given before', async () => {
    const { state, source } = history('delivery-1');
    const collector = createRowCollector({ sources: [source], afterSecond: 0 });
    state.newest = 2;
    await collector.poll();
    const departed = [{ sequence: 1, instance: 'delivery-1', rows: [1, 2, 3].map((s) => partition(s)) }];
    collector.addDeparted(departed);
    collector.addDeparted(departed);
    expect(seconds(collector.rows)).toEqual([1, 2, 3]);
  });
});
