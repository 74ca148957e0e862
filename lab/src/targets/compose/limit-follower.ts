import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { correctedLimit, observedCapacity } from '../../calibration/index.js';
import type { RowSource } from '../../runner/row-source.js';

/** Rows that are older say what a core gave then. */
const WINDOW_SECONDS = 6;
/** Below it, a change of the limit would follow chance. */
const SMALLEST_CHANGE = 0.02;

/**
 * Keeps delivery's ceiling where its calibration put it while a load runs. The kernel's limit counts time, and on a core
 * whose other thread is busy the same request takes up to 1.7 times as much of it: within one minute one limit is
 * another number of requests/s. So the correction that ends the warm-up is repeated with each second's rows.
 */
export interface LimitFollower {
  /** The same source; its rows are looked at as they are handed out. */
  follow(source: RowSource): RowSource;
}

export function createLimitFollower(options: {
  /** Of one container of delivery; null while there is none. */
  requestsPerSecond: () => number | null;
  setLimit: (cores: number) => Promise<void>;
}): LimitFollower {
  let recent: MeasurementRow[] = [];
  let limitCores = 0;
  let setting = false;

  const correct = async () => {
    const target = options.requestsPerSecond();
    const observed = target === null ? null : observedCapacity(recent, target);
    if (target === null || observed === null) return;
    const wanted = correctedLimit(target, observed);
    if (Math.abs(wanted / limitCores - 1) < SMALLEST_CHANGE) return;
    await options.setLimit(wanted);
    limitCores = wanted;
  };
  const see = (rows: readonly MeasurementRow[]) => {
    const newest = rows.reduce((most, { second }) => Math.max(most, second), 0);
    recent = [...recent, ...rows].filter(({ second }) => second > newest - WINDOW_SECONDS);
    if (setting || rows.length === 0) return;
    setting = true;
    correct()
      // An engine or a container that is gone is noticed elsewhere, with its reason.
      .catch(() => {})
      .finally(() => {
        setting = false;
      });
  };
  return {
    follow: (source) => ({
      name: source.name,
      async poll(since, timeoutMs) {
        const answer = await source.poll(since, timeoutMs);
        see(answer.rows);
        return answer;
      },
    }),
  };
}
