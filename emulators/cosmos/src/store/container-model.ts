import {
  LATENCY_KINDS,
  type LatencyDistribution,
  type LatencyKind,
  type LatencyModel,
} from '../latency/latency-model.js';
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

/** Kinds of latency that are null are switched off, those that are absent stay. */
export type LatencyChange = { readonly [kind in LatencyKind]?: LatencyDistribution | null | undefined };

export interface ModelChange extends Partial<Omit<ContainerModel, 'latency'>> {
  latency?: LatencyChange;
}

export function mergeLatency(model: LatencyModel, change: LatencyChange = {}): LatencyModel {
  const merged: Partial<Record<LatencyKind, LatencyDistribution>> = {};
  for (const kind of LATENCY_KINDS) {
    const distribution = change[kind] === undefined ? model[kind] : change[kind];
    if (distribution !== undefined && distribution !== null) merged[kind] = distribution;
  }
  return merged;
}
