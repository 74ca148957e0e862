import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { CpuControl } from '../cpu/cpu-control.js';

/** What a process has used since its start, or since the sample before where the name says `max` or utilization. */
export interface ProcessSample {
  cpuMs: number;
  periods: number;
  throttledPeriods: number;
  throttledMs: number;
  eventLoopUtilization: number;
  eventLoopDelayMaxMs: number;
  residentBytes: number;
}

export type SampleProcess = () => ProcessSample;

/** Samples this process. A thread that stands still under the in-process CPU quota counts as a busy event loop. */
export function createProcessSampler(cpu: CpuControl): SampleProcess {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  let loop = performance.eventLoopUtilization();
  return () => {
    const now = performance.eventLoopUtilization();
    const { utilization } = performance.eventLoopUtilization(now, loop);
    loop = now;
    // The monitor reports the time between two ticks of its timer, so that its resolution is not delay.
    const delayMaxMs = delay.count > 0 ? Math.max(0, delay.max / 1e6 - 20) : 0;
    delay.reset();
    return {
      cpuMs: cpu.usedMs(),
      ...cpu.read(),
      eventLoopUtilization: Math.min(1, Math.max(0, utilization)),
      eventLoopDelayMaxMs: delayMaxMs,
      residentBytes: process.memoryUsage.rss(),
    };
  };
}
