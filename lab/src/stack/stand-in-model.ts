import { CONTAINERS, DATABASE } from '@bottleneck-lab/contracts';
import type { AppliedKnobs } from '../scenarios/index.js';
import type { ContainerModel, EmulatorControl } from './emulator-control.js';

/** What only a stand-in can be told: Azure has no API for it. */
export type ModelKnobs = Pick<
  AppliedKnobs,
  'burstSeconds' | 'queryBaseRu' | 'queryLatency' | 'pointReadLatency'
>;

const UTILIZATION = [CONTAINERS.utilizationByDelivery.id, CONTAINERS.utilizationByOwner.id];
const ALL_CONTAINERS = Object.values(CONTAINERS).map(({ id }) => id);
const NO_LATENCY: ContainerModel['latency'] = { query: null, pointRead: null, write: null, metadata: null };

/** For writing the data: answers at once and refuses nothing. */
export function liftModel(control: EmulatorControl): Promise<void> {
  return patchAll(control, ALL_CONTAINERS, { throttling: false, latency: NO_LATENCY });
}

/** Throttling, burst, base charge and latency. `off` answers at once and refuses nothing, for warming up. */
export async function applyModel(
  control: EmulatorControl,
  knobs: ModelKnobs,
  { model, seed }: { model: 'off' | 'on'; seed: number },
): Promise<void> {
  const { burstSeconds, queryBaseRu, queryLatency, pointReadLatency } = knobs;
  await patchAll(control, UTILIZATION, {
    throttling: model === 'on',
    burstSeconds,
    queryBaseRu,
    seed,
    latency: { ...NO_LATENCY, query: model === 'on' ? latencyOrNone(queryLatency) : null },
  });
  await patchAll(control, [CONTAINERS.packages.id], {
    seed,
    latency: { ...NO_LATENCY, pointRead: model === 'on' ? latencyOrNone(pointReadLatency) : null },
  });
}

async function patchAll(
  control: EmulatorControl,
  containers: string[],
  change: Parameters<EmulatorControl['patchModel']>[1],
): Promise<void> {
  await Promise.all(containers.map((id) => control.patchModel({ database: DATABASE, id }, change)));
}

function latencyOrNone(latency: { meanMs: number; coefficientOfVariation: number }) {
  return latency.meanMs === 0 ? null : latency;
}
