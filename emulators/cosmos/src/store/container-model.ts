import type { LatencyModel } from '../latency/latency-model.js';
import { CHARGES } from '../throughput/request-charge.js';

/** The modelled behaviour of one container that Azure has no interface for; changeable while the server runs. */
export interface ContainerModel {
  /** Whether requests beyond the budget are refused. They are charged and counted either way. */
  throttling: boolean;
  /** Seconds' worth of unused request units that a physical partition may save; 0 to 300. */
  burstSeconds: number;
  /** Request units for visiting one physical partition with a query. */
  queryBaseRu: number;
  /** Kinds that are absent are answered at once. */
  latency: LatencyModel;
  /** Determines every latency, partition by partition. */
  seed: number;
}

export const DEFAULT_MODEL: ContainerModel = {
  throttling: true,
  burstSeconds: 0,
  queryBaseRu: CHARGES.queryBase,
  latency: {},
  seed: 1,
};
