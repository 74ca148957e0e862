import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { METRICS_SECONDS } from './partition-metrics.js';

export interface ProcessSecond {
  /** Unix time in whole seconds. */
  second: number;
  cpuMs: number;
  /** 0 to 1. */
  eventLoopUtilization: number;
  eventLoopDelayMaxMs: number;
  residentBytes: number;
}

/** Sampling stops after this long without requests, so that an idle server has no timer at all. */
const IDLE_SECONDS = 5;
const DELAY_RESOLUTION_MS = 20;

/** CPU, event loop and memory of this process, second by second while requests come in. */
export class ProcessMetrics {
  readonly #seconds: ProcessSecond[] = [];
  readonly #delay = monitorEventLoopDelay({ resolution: DELAY_RESOLUTION_MS });
  #timer: NodeJS.Timeout | undefined;
  #cpu = process.cpuUsage();
  #utilization = performance.eventLoopUtilization();
  /** The second that is being sampled; a late timer does not change that. */
  #second = 0;
  #active = false;
  #idle = 0;

  /** Has to be called for every request. */
  touch(): void {
    this.#active = true;
    if (this.#timer === undefined) this.#start();
  }

  read(since: number): ProcessSecond[] {
    return this.#seconds.filter(({ second }) => second > since);
  }

  clear(): void {
    this.#seconds.length = 0;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#delay.disable();
  }

  #start(): void {
    this.#cpu = process.cpuUsage();
    this.#utilization = performance.eventLoopUtilization();
    this.#idle = 0;
    this.#delay.reset();
    this.#delay.enable();
    this.#schedule();
  }

  /** Samples at the turn of each wall-clock second, as the partitions' seconds turn then too. */
  #schedule(): void {
    const nowMs = Date.now();
    this.#second = Math.floor(nowMs / 1000);
    this.#timer = setTimeout(this.#sample, 1000 - (nowMs % 1000));
    this.#timer.unref();
  }

  #sample = (): void => {
    const { user, system } = process.cpuUsage(this.#cpu);
    const { utilization } = performance.eventLoopUtilization(this.#utilization);
    this.#seconds.push({
      second: this.#second,
      cpuMs: (user + system) / 1000,
      eventLoopUtilization: utilization,
      // The monitor counts its own interval in.
      eventLoopDelayMaxMs: Math.max(0, this.#delay.max / 1e6 - DELAY_RESOLUTION_MS),
      residentBytes: process.memoryUsage.rss(),
    });
    if (this.#seconds.length > METRICS_SECONDS) this.#seconds.shift();
    this.#idle = this.#active ? 0 : this.#idle + 1;
    this.#active = false;
    if (this.#idle >= IDLE_SECONDS) {
      this.stop();
      return;
    }
    this.#cpu = process.cpuUsage();
    this.#utilization = performance.eventLoopUtilization();
    this.#delay.reset();
    this.#schedule();
  };
}
