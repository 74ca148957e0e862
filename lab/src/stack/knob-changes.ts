import type { AppliedKnobs } from '../scenarios/index.js';
import type { StackDatabase } from './database.js';
import { StackError } from './errors.js';
import type { StackParts } from './stack.js';
import type { StackServices } from './stack-services.js';
import { parseTurn, type Turn, type TurnableKnob } from './turns.js';

/** What turns knobs about the services, whatever runs them. */
export type KnobServices = Pick<
  StackServices,
  'setQueries' | 'setDeliveryLimit' | 'setDeliveryReplicas' | 'calibrate' | 'correctCalibration'
>;

/** What a stack has to have for its knobs to be turned. */
export interface KnobParts
  extends Pick<
    StackParts,
    'seed' | 'documentsWritten' | 'physicalPartitions' | 'calibratedRate' | 'calibration' | 'knobs'
  > {
  database: Pick<StackDatabase, 'seed' | 'applyThroughput' | 'applyModel'>;
  services: KnobServices;
}

/** Not longer ago than this, so that no earlier load counts as a warm-up. */
const WARM_UP_SECONDS = 6;

/**
 * Turns the knobs that differ: offers over the Cosmos DB protocol, environment variables by rolling replacement,
 * and the stand-in's model over its control routes. Returns what changed, in words.
 */
export async function applyKnobs(
  parts: KnobParts,
  wanted: { knobs: AppliedKnobs; seed: number; model: 'off' | 'on' },
): Promise<{ changed: string[] }> {
  const { database, services } = parts;
  const { knobs } = wanted;
  const changed: string[] = [];

  if (knobs.physicalPartitions !== parts.physicalPartitions) {
    const { physicalPartitions, ruPerSecond } = knobs;
    const { written } = await database.seed({ seed: parts.seed, physicalPartitions, ruPerSecond });
    Object.assign(parts, { physicalPartitions, documentsWritten: written });
    changed.push(`utilization containers created anew with ${physicalPartitions} physical partitions`);
  }
  if (await database.applyThroughput(knobs.ruPerSecond)) changed.push(`${knobs.ruPerSecond} RU/s`);
  if (await services.setQueries(knobs)) {
    changed.push(`drone-utilization replaced: ${knobs.queryFanout}, by ${knobs.partitionKey}`);
  }
  if (knobs.deliveryRequestsPerSecond !== parts.calibratedRate) {
    parts.calibration = await services.calibrate(knobs.deliveryRequestsPerSecond);
    parts.calibratedRate = knobs.deliveryRequestsPerSecond;
    changed.push(`delivery limited to ${knobs.deliveryRequestsPerSecond} requests/s`);
  }
  await services.setDeliveryLimit(limitOf(parts, knobs));
  if (await services.setDeliveryReplicas(knobs.deliveryReplicas)) {
    changed.push(
      `delivery replaced: ${knobs.deliveryReplicas === 1 ? 'one process' : `${knobs.deliveryReplicas} replicas`}`,
    );
  }
  if (wanted.model === 'on') {
    // After a warm-up: it was the nearest to the load that can be measured before it.
    const corrected = await services.correctCalibration(Math.floor(Date.now() / 1000) - WARM_UP_SECONDS);
    if (corrected !== null) {
      parts.calibration = corrected;
      changed.push(`delivery limited to ${corrected.deliveryCpuLimitCores} cores, by what the warm-up cost`);
    }
  }
  await database.applyModel(knobs, { model: wanted.model, seed: wanted.seed });
  parts.knobs = knobs;
  return { changed };
}

/**
 * Turns one knob of what was applied last, and nothing else: no warm-up, no calibration, budgets and latencies go on.
 * Resolves when the change has taken effect.
 */
export async function turnKnob(
  parts: KnobParts,
  name: string,
  value: unknown,
): Promise<Omit<Turn, 'sequence'>> {
  const to = parseTurn(name, value);
  const knob = name as TurnableKnob;
  if (parts.knobs === null) {
    throw new StackError('KNOB_REFUSED', `${name} has no value yet: no scenario was run on this stack`);
  }
  const from = parts.knobs[knob];
  const knobs = { ...parts.knobs, [knob]: to };
  try {
    await parts.database.applyThroughput(knobs.ruPerSecond);
    await parts.services.setQueries(knobs);
    await parts.services.setDeliveryReplicas(knobs.deliveryReplicas);
    await parts.services.setDeliveryLimit(limitOf(parts, knobs));
  } catch (cause) {
    const [message] = (cause as Error).message.split('\n');
    throw new StackError('CONTROL_FAILED', `${name} could not be turned to ${to}: ${message}`, { cause });
  }
  parts.knobs = knobs;
  return { atMs: Date.now(), knob, from, to };
}

/** What a request costs was measured at the calibrated rate; another rate takes CPU in proportion. */
function limitOf({ calibration, calibratedRate }: KnobParts, knobs: AppliedKnobs): number {
  return (calibration.deliveryCpuLimitCores * knobs.deliveryRequestsPerSecond) / calibratedRate;
}
