import { meanOf } from '../../analysis/windows.js';

/** Values of a series, one per `seconds` seconds. */
export interface Binned {
  seconds: number;
  values: (number | null)[];
}

/** Seconds per bin so that there are at most `most` bins. */
export function binSeconds(lengthSeconds: number, most: number): number {
  return Math.max(1, Math.ceil(lengthSeconds / most));
}

/** Means of the values that are known; `null` where none is. A last bin may be shorter. */
export function bin(values: readonly (number | null)[], seconds: number): Binned {
  const bins: (number | null)[] = [];
  for (let from = 0; from < values.length; from += seconds) {
    const known = values.slice(from, from + seconds).filter((value) => value !== null);
    bins.push(known.length === 0 ? null : meanOf(known));
  }
  return { seconds, values: bins };
}
