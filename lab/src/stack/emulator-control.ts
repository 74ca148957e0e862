import { requestJson } from '../supervisor/http-json.js';

/** Log-normal latency, or null for none. */
export type ModelLatency = { meanMs: number; coefficientOfVariation: number } | null;

/** Settings of one container on the stand-in that Azure has no API for. */
export interface ContainerModel {
  throttling: boolean;
  burstSeconds: number;
  queryBaseRu: number;
  latency: { query: ModelLatency; pointRead: ModelLatency; write: ModelLatency; metadata: ModelLatency };
  seed: number;
}

/** What the stand-in accounted for since a second. */
export interface EmulatorMetrics {
  second: number;
  partitions: {
    second: number;
    database: string;
    container: string;
    partitionKeyRangeId: string;
    requests: number;
    throttled: number;
    requestUnits: number;
    provisionedRuPerSecond: number;
  }[];
  process: {
    second: number;
    cpuMs: number;
    eventLoopUtilization: number;
    eventLoopDelayMaxMs: number;
    residentBytes: number;
  }[];
}

/** The stand-in's control routes, which are its own and not part of the Cosmos DB protocol. */
export interface EmulatorControl {
  metrics(since: number, timeoutMs?: number): Promise<EmulatorMetrics>;
  patchModel(
    container: { database: string; id: string },
    change: Partial<Omit<ContainerModel, 'latency'>> & { latency?: Partial<ContainerModel['latency']> },
  ): Promise<void>;
  /** `budgets` forgets what was saved and owed and starts the latencies from their seeds, `metrics` forgets the past. */
  reset(what: { budgets: boolean; metrics: boolean }): Promise<void>;
}

export function emulatorControl(endpoint: string, token: string): EmulatorControl {
  const base = `${endpoint.replace(/\/$/, '')}/_emulator`;
  const headers = { 'x-emulator-token': token };
  return {
    metrics: (since, timeoutMs = 5_000) =>
      requestJson<EmulatorMetrics>(`${base}/metrics?since=${since}`, { headers, timeoutMs }),
    async patchModel({ database, id }, change) {
      await requestJson(`${base}/containers/${database}/${id}/model`, {
        method: 'PATCH',
        headers,
        body: change,
      });
    },
    async reset(what) {
      await requestJson(`${base}/reset`, { method: 'POST', headers, body: what });
    },
  };
}
