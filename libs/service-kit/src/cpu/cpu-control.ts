import { AsyncResource } from 'node:async_hooks';
import { type CgroupLimit, readCgroupLimit, type ThrottlingCounters } from './cgroup.js';
import { ChargedCpu, processCpuMs } from './charged-cpu.js';
import { CpuQuota, quotaClock } from './cpu-quota.js';

/** The CPU limit a process runs under, whoever enforces it. */
export interface CpuControl {
  readonly limitCores: number | null;
  readonly source: 'cgroup' | 'quota' | 'none';
  /** Called between pieces of work inside a long computation. */
  checkpoint(): void;
  /** Called before a request's handler: runs `handler` when the process may compute. */
  admit(handler: () => void): void;
  /** Called after a request's handler. */
  settle(): void;
  read(): ThrottlingCounters;
  /** CPU time of this process as its limit counts it, in milliseconds; only differences mean something. */
  usedMs(): number;
  /** Where this process enforces its limit itself, changes it from now on; elsewhere the limit stays. */
  setLimit(cores: number): void;
  start(): void;
  stop(): void;
}

const NOTHING: ThrottlingCounters = { periods: 0, throttledPeriods: 0, throttledMs: 0 };

/**
 * The tighter of two limits: the control group's, enforced by the kernel, and `limitCores` (CPU_LIMIT), enforced by
 * {@link CpuQuota} in this process.
 */
export function createCpuControl(
  limitCores: number | null,
  cgroup: CgroupLimit | null = readCgroupLimit(),
): CpuControl {
  if (limitCores !== null && (cgroup === null || limitCores < cgroup.cores)) {
    return new QuotaControl(limitCores);
  }
  return {
    get limitCores() {
      return cgroup?.cores ?? null;
    },
    source: cgroup ? 'cgroup' : 'none',
    checkpoint() {},
    admit: (handler) => handler(),
    settle() {},
    read: () => cgroup?.read() ?? NOTHING,
    usedMs: processCpuMs,
    setLimit() {},
    start() {},
    stop() {},
  };
}

/** Applies a quota to an event loop. */
class QuotaControl implements CpuControl {
  limitCores: number;
  readonly source = 'quota';
  readonly #cpu = new ChargedCpu();
  #quota: CpuQuota | undefined;
  readonly #waiting: (() => void)[] = [];
  #draining = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitCores: number) {
    this.limitCores = limitCores;
  }

  checkpoint(): void {
    this.#quota?.checkpoint();
  }

  /**
   * One handler per turn of the event loop, first come, first served: however many requests wait, sockets are read and
   * health checks answered between two of them.
   */
  admit(handler: () => void): void {
    this.#waiting.push(AsyncResource.bind(handler));
    if (this.#draining) return;
    this.#draining = true;
    setImmediate(this.#drain);
  }

  readonly #drain = (): void => {
    const slept = this.#quota?.checkpoint();
    // After standing still, whatever arrived meanwhile is read first.
    if (!slept) this.#waiting.shift()?.();
    this.#draining = this.#waiting.length > 0;
    if (this.#draining) setImmediate(this.#drain);
  };

  /** In a turn of its own, so that the answer is on its way before the thread may stand still. */
  readonly settle = (): void => {
    setImmediate(() => {
      this.#cpu.sample();
      this.#quota?.checkpoint();
    });
  };

  read(): ThrottlingCounters {
    return this.#quota?.read() ?? NOTHING;
  }

  usedMs(): number {
    return this.#cpu.ms();
  }

  setLimit(cores: number): void {
    this.limitCores = cores;
    this.#quota?.setLimit(cores);
  }

  /**
   * From here on, so that starting up leaves no debt to the first requests. CPU used outside requests (timers, garbage
   * collection) counts as well, hence a checkpoint in every period.
   */
  start(): void {
    this.#quota = new CpuQuota(
      this.limitCores,
      quotaClock(() => this.#cpu.ms()),
    );
    this.#timer = setInterval(() => this.#quota?.checkpoint(), 100);
    this.#timer.unref();
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
