import { channel } from 'node:diagnostics_channel';
import {
  CHANNELS,
  type MeasurementRow,
  type ProcessUsageRow,
  type StatsResponse,
} from '@bottleneck-lab/contracts';
import type { CpuControl } from '../cpu/cpu-control.js';
import type { SampleProcess } from './process-sampler.js';
import { type ProcessSecond, ProcessSeconds } from './process-seconds.js';
import { type DependencyEvent, type OperationEvent, SecondLog } from './second-log.js';

/** Finished seconds held for readers; older ones are dropped. */
const HELD_SECONDS = 120;

const processUsage = channel(CHANNELS.processUsage);

export interface RecorderOptions {
  role: string;
  instance: string;
  cpu: Pick<CpuControl, 'limitCores' | 'source'>;
  sampleProcess: SampleProcess;
  /** Wall clock, milliseconds. */
  nowMs?: () => number;
}

/** The measurement rows of this process: one set per wall-clock second, the last {@link HELD_SECONDS} of them. */
export class StatsRecorder {
  readonly #options: Required<RecorderOptions>;
  readonly #process: ProcessSeconds;
  readonly #finished = new Map<number, { log: SecondLog; process: ProcessSecond | undefined }>();
  #second: number;
  #current = new SecondLog();
  #newestRead = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RecorderOptions) {
    this.#options = { nowMs: Date.now, ...options };
    const nowMs = this.#options.nowMs();
    this.#second = Math.floor(nowMs / 1_000);
    this.#process = new ProcessSeconds(nowMs, this.#options.sampleProcess());
  }

  recordOperation(event: OperationEvent): void {
    this.#roll();
    this.#current.addOperation(event);
  }

  recordDependency(event: DependencyEvent): void {
    this.#roll();
    this.#current.addDependency(event);
  }

  /** Every finished second after `since` that is still held. */
  read(since: number): StatsResponse {
    this.#roll();
    const { role, instance } = this.#options;
    const second = this.#second - 1;
    this.#newestRead = Math.max(this.#newestRead, second);
    return { role, instance, second, rows: this.#rowsAfter(since) };
  }

  /** Rows nobody has read, the unfinished second included. Call last: it ends the current second early. */
  takeUnread(): MeasurementRow[] {
    this.#roll();
    this.#process.add(this.#options.nowMs(), this.#options.sampleProcess());
    this.#finish(this.#second);
    return this.#rowsAfter(this.#newestRead);
  }

  /** Keeps the seconds going while nothing is recorded. */
  start(): void {
    const tick = () => {
      this.#roll();
      this.#timer = setTimeout(tick, 1_000 - (this.#options.nowMs() % 1_000));
      this.#timer.unref();
    };
    tick();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #roll(): void {
    const nowMs = this.#options.nowMs();
    const second = Math.floor(nowMs / 1_000);
    // A wall clock that is set back stands still here, so that no second is finished twice.
    if (second <= this.#second) return;
    this.#process.add(nowMs, this.#options.sampleProcess());
    const oldest = Math.max(this.#second, second - HELD_SECONDS);
    for (let ended = oldest; ended < second; ended += 1) this.#finish(ended);
    this.#second = second;
  }

  #finish(second: number): void {
    const process = this.#process.take(second);
    this.#finished.set(second, { log: this.#current, process });
    if (process && processUsage.hasSubscribers) processUsage.publish(this.#processRow(second, process));
    this.#current = new SecondLog();
    for (const held of this.#finished.keys()) {
      if (held > second - HELD_SECONDS) break;
      this.#finished.delete(held);
    }
  }

  #rowsAfter(since: number): MeasurementRow[] {
    const { role, instance } = this.#options;
    return [...this.#finished].flatMap(([second, { log, process }]) => {
      if (second <= since) return [];
      const rows: MeasurementRow[] = log.rows({ second, role, instance }, { final: true });
      if (process) rows.push(this.#processRow(second, process));
      return rows;
    });
  }

  #processRow(second: number, usage: ProcessSecond): ProcessUsageRow {
    const { role, instance, cpu } = this.#options;
    return {
      kind: 'process',
      ...{ second, role, instance, pid: process.pid },
      cpuLimitCores: cpu.limitCores,
      cpuLimitSource: cpu.source,
      ...usage,
    };
  }
}
