import { readFileSync } from 'node:fs';

const PERIOD_MS = 500;
const MOST_QUESTIONS = 20;
/** Linux reports CPU time in ticks of 10 ms to user space, whatever the kernel's own rate. */
const MS_PER_TICK = 10;
const USER_TICKS_FIELD = 11;

/** Follows the CPU time of another process where /proc tells it (Linux). */
export class ProcessCpu {
  readonly #timer: NodeJS.Timeout;
  #path: string | undefined;
  #cpuMs: number | undefined;

  /** `pid` is asked until it knows, but not for ever: asking costs CPU as well. */
  constructor(pid: () => Promise<number | undefined>) {
    let asking = false;
    let asked = 0;
    const look = async () => {
      if (this.#path !== undefined) return this.#sample();
      if (asking) return;
      if (++asked > MOST_QUESTIONS) return clearInterval(this.#timer);
      asking = true;
      const known = await pid();
      if (known !== undefined) this.#path = `/proc/${known}/stat`;
      asking = false;
    };
    this.#timer = setInterval(look, PERIOD_MS);
    this.#timer.unref();
    void look();
  }

  /** CPU time up to the last look, milliseconds. */
  stop(): number | undefined {
    clearInterval(this.#timer);
    return this.#cpuMs;
  }

  #sample(): void {
    try {
      const text = readFileSync(this.#path as string, 'utf8');
      // The command's name is in parentheses and may contain spaces.
      const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
      const ticks = Number(fields[USER_TICKS_FIELD]) + Number(fields[USER_TICKS_FIELD + 1]);
      this.#cpuMs = ticks * MS_PER_TICK;
    } catch {
      // Not Linux, or the process has ended: the last value stays.
      clearInterval(this.#timer);
    }
  }
}
