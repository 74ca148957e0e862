import type { LoadOutcome } from '@bottleneck-lab/loadtests';
import { interleavedOrder, type Side } from './interleave.js';
import type { Block, Round } from './judge-against.js';
import { countsOf, timesOf } from './load-figures.js';

export interface RoundsOptions {
  rounds: number;
  seed: number;
  /** One load on one side. */
  load: (side: Side) => Promise<LoadOutcome>;
  /** Told before each load; round 0 is the warm-up. */
  onLoad: (next: { round: number; side: Side }) => void;
}

export interface RoundsOutcome {
  rounds: Round[];
  /** The load that did not run to its end, which ends everything; null when all did. */
  stopped: { side: Side; outcome: LoadOutcome } | null;
  engine: { name: string; version: string };
}

/** Loads both sides in turn. The first load on each side warms it up and is forgotten. */
export async function runRounds({ rounds, seed, load, onLoad }: RoundsOptions): Promise<RoundsOutcome> {
  const done: Round[] = [];
  let engine = { name: '', version: '' };
  for (const [round, order] of [
    ['against', 'target'] as const,
    ...interleavedOrder(rounds, seed),
  ].entries()) {
    const blocks: Partial<Record<Side, Block>> = {};
    for (const side of order) {
      onLoad({ round, side });
      const outcome = await load(side);
      engine = outcome.engine;
      if (outcome.meaning !== 'passed' && outcome.meaning !== 'thresholds-crossed') {
        return { rounds: done, stopped: { side, outcome }, engine };
      }
      const { saturated, reason } = outcome.generator;
      blocks[side] = {
        counts: countsOf(outcome),
        times: timesOf(outcome),
        tooBusy: saturated ? reason : '',
      };
    }
    const { target, against } = blocks;
    if (round > 0 && target !== undefined && against !== undefined) done.push({ target, against });
  }
  return { rounds: done, stopped: null, engine };
}
