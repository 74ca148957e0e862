import { CoreSpeed } from './core-speed.js';

/**
 * CPU time at a core's full speed: time on a core whose other thread is busy counts for less, as it does less. A limit
 * in such time allows the same work at any moment, so that what was found for it by calibration holds a minute later.
 */
export class ChargedCpu {
  readonly #speed: Pick<CoreSpeed, 'factor' | 'sample'>;
  readonly #usedMs: () => number;
  #countedMs: number;
  #chargedMs = 0;

  constructor(
    speed: Pick<CoreSpeed, 'factor' | 'sample'> = new CoreSpeed(),
    usedMs: () => number = processCpuMs,
  ) {
    this.#speed = speed;
    this.#usedMs = usedMs;
    this.#countedMs = usedMs();
  }

  /** Call it between pieces of work, while the process is busy. */
  sample(): void {
    this.#speed.sample();
  }

  /** Milliseconds since this was made; never falls. */
  ms(): number {
    const usedMs = this.#usedMs();
    this.#chargedMs += (usedMs - this.#countedMs) * this.#speed.factor;
    this.#countedMs = usedMs;
    return this.#chargedMs;
  }
}

export function processCpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
