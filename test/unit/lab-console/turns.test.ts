import { describe, expect, it } from 'vitest';
import { createRowCollector } from '../../../lab/src/runner/row-collector.js';
import type { RowSource } from '../../../lab/src/runner/row-source.js';
import { KNOB_TABLE, type KnobName } from '../../../lab/src/scenarios/index.js';
import { createTurnLog, parseTurn, whyNotTurnable } from '../../../lab/src/stack/turns.js';

describe('a value for a knob', () => {
  it('is taken as a number, or as it is typed', () => {
    expect(parseTurn('ruPerSecond', 2500)).toBe(2500);
    expect(parseTurn('ruPerSecond', '2500')).toBe(2500);
    expect(parseTurn('queryFanout', 'parallel')).toBe('parallel');
  });

  it.each([
    ['ruPerSecnd', 2500, ['unknown knob "ruPerSecnd"', 'ruPerSecond', 'queryFanout']],
    ['ruPerSecond', 12, ['ruPerSecond', '400', '1000000', 'not 12']],
    ['ruPerSecond', '', ['ruPerSecond', 'whole number', 'not ""']],
    ['ruPerSecond', '900x', ['ruPerSecond', 'not "900x"']],
    ['queryFanout', 'sideways', ['queryFanout', 'serial, parallel', 'not "sideways"']],
    ['partitionKey', 3, ['partitionKey', 'deliveryId, ownerId', 'not 3']],
    ['toString', 3, ['unknown knob "toString"']],
  ])('%s %j is refused with what is allowed', (name, value, words) => {
    for (const word of words) expect(() => parseTurn(name, value)).toThrow(word);
  });

  it('is refused with the reason where the knob can not be turned while a load runs', () => {
    const fixed = (Object.keys(KNOB_TABLE) as KnobName[]).filter((name) => whyNotTurnable(name) !== null);
    expect(fixed).toContain('physicalPartitions');
    for (const name of fixed) expect(() => parseTurn(name, 3)).toThrow(whyNotTurnable(name) as string);
  });
});

describe('the log of turns', () => {
  const turned = { atMs: 1, knob: 'ruPerSecond', from: 900, to: 2500 };

  it('answers at once with what is there, and later with what comes', async () => {
    const log = createTurnLog();
    const first = log.after(0);
    log.add(turned);
    expect(await first).toEqual([{ sequence: 1, ...turned }]);
    const second = log.after(1);
    log.add({ ...turned, to: 900 });
    expect((await second).map(({ sequence }) => sequence)).toEqual([2]);
    expect((await log.after(0)).map(({ to }) => to)).toEqual([2500, 900]);
    expect(log.last()).toBe(2);
  });
});

describe('a process that is replaced while rows are collected', () => {
  const row = (second: number, partition: string) => ({
    kind: 'partition' as const,
    second,
    container: 'utilization',
    partition,
    requests: 1,
    throttled: 0,
    requestUnits: 3,
    provisionedRuPerSecond: 100,
  });
  const source = (name: string, state: { newest: number; gone?: boolean }): RowSource => ({
    name,
    async poll(since) {
      if (state.gone) throw new Error('gone');
      const seconds = Array.from({ length: state.newest - since }, (_, at) => since + 1 + at);
      return { second: state.newest, rows: seconds.map((second) => row(second, name)) };
    },
  });

  it('is asked until it is gone, and holds nobody up', async () => {
    const [old, next] = [{ newest: 2, gone: false }, { newest: 3 }];
    const collector = createRowCollector({ sources: [source('old', old)], afterSecond: 0 });
    await collector.poll();
    collector.setSources([source('next', next)]);
    old.newest = 3;
    await collector.poll();
    expect(collector.rows.map(({ second, ...one }) => [second, 'partition' in one && one.partition])).toEqual(
      [
        [1, 'old'],
        [2, 'old'],
        [1, 'next'],
        [2, 'next'],
        [3, 'next'],
        [3, 'old'],
      ],
    );
    old.gone = true;
    next.newest = 5;
    await collector.poll();
    expect(collector.completeSecond()).toBe(5);
    expect(await collector.pollUntil(5, 0)).toEqual([]);
  });
});
