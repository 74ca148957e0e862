import { type IntervalHistogram, monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** How the generator itself fared. A saturated one measures itself instead of the target. */
export interface GeneratorReport {
  /** CPU time of the load generator during the load, milliseconds. */
  readonly cpuMs: number;
  /** Longest time for which the event loop could not react. */
  readonly eventLoopDelayMaxMs: number;
  readonly eventLoopDelayP99Ms: number;
  /** Highest share of a second in which the event loop was busy, 0 to 1. */
  readonly busiestSecond: number;
  /** Arrival-rate executors: the longest time by which the generator started an iteration too late. */
  readonly latestStartMs: number;
  readonly saturated: boolean;
  readonly reason: string;
}

const BUSY_UTILIZATION = 0.95;
const STALL_MS = 250;
const BAD_SECONDS_IN_A_ROW = 3;
const BAD_SHARE = 0.1;
const NS_PER_MS = 1e6;
/** The histogram's values are times between its own timers, so this is what an idle event loop shows. */
const RESOLUTION_MS = 20;
const SAMPLE_MS = 1_000;

/** Watches CPU and event loop of this process once a second. */
export class GeneratorMonitor {
  readonly #delay: IntervalHistogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  #timer: NodeJS.Timeout | undefined;
  #cpuBefore = process.cpuUsage();
  #utilization = performance.eventLoopUtilization();
  #maxDelayMs = 0;
  #p99DelayMs = 0;
  #busiest = 0;
  #latestStartMs = 0;
  #seconds = 0;
  #bad = { inARow: 0, mostInARow: 0, total: 0, stalls: 0 };

  start(): void {
    this.#cpuBefore = process.cpuUsage();
    this.#utilization = performance.eventLoopUtilization();
    this.#delay.enable();
    this.#timer = setInterval(() => this.#sample(), SAMPLE_MS);
    this.#timer.unref();
  }

  late(ms: number): void {
    this.#latestStartMs = Math.max(this.#latestStartMs, ms);
  }

  stop(): GeneratorReport {
    clearInterval(this.#timer);
    this.#sample();
    this.#delay.disable();
    const cpu = process.cpuUsage(this.#cpuBefore);
    const reason = this.#verdict();
    return {
      cpuMs: (cpu.user + cpu.system) / 1000,
      eventLoopDelayMaxMs: this.#maxDelayMs,
      eventLoopDelayP99Ms: this.#p99DelayMs,
      busiestSecond: this.#busiest,
      latestStartMs: this.#latestStartMs,
      saturated: reason !== '',
      reason,
    };
  }

  #sample(): void {
    const current = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(current, this.#utilization);
    this.#utilization = current;
    const [maxMs, p99Ms] =
      this.#delay.count > 0 ? [this.#delay.max, this.#delay.percentile(99)].map(toDelayMs) : [0, 0];
    this.#maxDelayMs = Math.max(this.#maxDelayMs, maxMs as number);
    this.#p99DelayMs = Math.max(this.#p99DelayMs, p99Ms as number);
    const stalled = (maxMs as number) > STALL_MS;
    this.#delay.reset();
    this.#busiest = Math.max(this.#busiest, utilization);
    this.#seconds += 1;
    const bad = utilization > BUSY_UTILIZATION || stalled;
    if (stalled) this.#bad.stalls += 1;
    if (bad) this.#bad.total += 1;
    this.#bad.inARow = bad ? this.#bad.inARow + 1 : 0;
    this.#bad.mostInARow = Math.max(this.#bad.mostInARow, this.#bad.inARow);
  }

  #verdict(): string {
    const { mostInARow, total, stalls } = this.#bad;
    const often = total >= BAD_SECONDS_IN_A_ROW && total > this.#seconds * BAD_SHARE;
    if (mostInARow < BAD_SECONDS_IN_A_ROW && !often) return '';
    return (
      `the load generator was saturated in ${total} of ${this.#seconds} s ` +
      `(event loop up to ${Math.round(this.#busiest * 100)} % busy, ${stalls} s with a stall above ${STALL_MS} ms)`
    );
  }
}

function toDelayMs(nanoseconds: number): number {
  return Math.max(0, nanoseconds / NS_PER_MS - RESOLUTION_MS);
}
