import { subscribe } from 'node:diagnostics_channel';
import { performance } from 'node:perf_hooks';
import { CHANNELS, METRICS, type ProcessUsageMessage } from '@bottleneck-lab/contracts';
import { metrics } from '@opentelemetry/api';
import { deliveryCounts } from '../delivery/delivery-counts.js';

/**
 * CPU against its limit, throttling and memory, from the rows that a service publishes each second, as only the service knows its limit;
 * event loop utilisation and lost telemetry from this process itself.
 */
export function reportProcessMetrics(): void {
  const meter = metrics.getMeter('bottleneck-lab.telemetry');
  const usedCores = meter.createGauge(METRICS.cpuUsedCores, { unit: '{core}' });
  const limitCores = meter.createGauge(METRICS.cpuLimitCores, { unit: '{core}' });
  const limitUtilization = meter.createGauge(METRICS.cpuLimitUtilization, { unit: '1' });
  const periods = meter.createCounter(METRICS.cpuPeriods);
  const throttledPeriods = meter.createCounter(METRICS.cpuThrottledPeriods);
  const throttledMs = meter.createCounter(METRICS.cpuThrottledMs, { unit: 'ms' });
  const resident = meter.createGauge(METRICS.residentBytes, { unit: 'By' });
  subscribe(CHANNELS.processUsage, (message) => {
    const row = message as ProcessUsageMessage;
    const cores = row.cpuMs / 1000;
    usedCores.record(cores);
    if (row.cpuLimitCores !== null) {
      limitCores.record(row.cpuLimitCores);
      limitUtilization.record(cores / row.cpuLimitCores);
    }
    periods.add(row.periods);
    throttledPeriods.add(row.throttledPeriods);
    throttledMs.add(row.throttledMs);
    resident.record(row.residentBytes);
  });
  reportEventLoop();
  meter
    .createObservableCounter(METRICS.telemetryLostItems)
    .addCallback((observed) => observed.observe(deliveryCounts().lost));
}

function reportEventLoop(): void {
  let last = performance.eventLoopUtilization();
  metrics
    .getMeter('bottleneck-lab.telemetry')
    .createObservableGauge(METRICS.eventLoopUtilization, { unit: '1' })
    .addCallback((observed) => {
      const now = performance.eventLoopUtilization();
      observed.observe(performance.eventLoopUtilization(now, last).utilization);
      last = now;
    });
}
