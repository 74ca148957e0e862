import { INTERNAL_ROUTES, type MeasurementRow, statsResponse } from '@bottleneck-lab/contracts';
import type { EmulatorControl } from '../stack/emulator-control.js';
import { requestJson } from '../supervisor/http-json.js';

/** Something that hands out measurement rows of finished seconds. */
export interface RowSource {
  name: string;
  /** Rows after the second `since`, and the newest finished second: the next `since`. */
  poll(since: number, timeoutMs: number): Promise<{ second: number; rows: MeasurementRow[] }>;
}

/** The stats route of a service's internal port. */
export function serviceSource(name: string, internalUrl: string): RowSource {
  return {
    name,
    async poll(since, timeoutMs) {
      const answer = await requestJson(`${internalUrl}${INTERNAL_ROUTES.stats}?since=${since}`, {
        timeoutMs,
      });
      const { second, rows } = statsResponse.parse(answer);
      return { second, rows };
    },
  };
}

export const STAND_IN_ROLE = 'cosmos-emulator';

/** The stand-in's own accounting: request units by partition, and its process. */
export function standInSource(control: EmulatorControl, pid: number): RowSource {
  return {
    name: STAND_IN_ROLE,
    async poll(since, timeoutMs) {
      const metrics = await control.metrics(since, timeoutMs);
      const partitions = metrics.partitions.map(({ partitionKeyRangeId, database: _, ...row }) => ({
        kind: 'partition' as const,
        ...row,
        partition: partitionKeyRangeId,
      }));
      const usage = metrics.process.map((row) => ({
        kind: 'process' as const,
        role: STAND_IN_ROLE,
        instance: STAND_IN_ROLE,
        pid,
        ...row,
        cpuLimitCores: null,
        cpuLimitSource: 'none' as const,
        periods: 0,
        throttledPeriods: 0,
        throttledMs: 0,
      }));
      return { second: metrics.second, rows: [...partitions, ...usage] };
    },
  };
}
