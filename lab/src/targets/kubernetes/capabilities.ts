import type { KnobCapability } from '../../recording/index.js';
import { KNOB_TABLE, type KnobName } from '../../scenarios/index.js';

const NEEDS_STAND_IN = 'the services use an account in Azure, which has no API for it';

/** What can be turned in a cluster, and why not where not. */
export function kubernetesCapabilities(options: {
  standIn: boolean;
  deliveryAutoscaled: boolean;
}): Record<KnobName, KnobCapability> {
  const { standIn, deliveryAutoscaled } = options;
  const unless = (no: boolean, reason: string): KnobCapability =>
    no ? { available: false, reason } : { available: true };
  const special: Partial<Record<KnobName, KnobCapability>> = {
    ruPerSecond: unless(
      !standIn,
      'throughput of an account in Azure is set by the chart: helm upgrade with cosmos.ruPerSecond',
    ),
    physicalPartitions: unless(
      true,
      'they are chosen when the chart makes the data: cosmos.physicalPartitions',
    ),
    deliveryRequestsPerSecond: unless(
      true,
      'nodes differ and none of them can be calibrated: delivery.resources.limits.cpu of the chart is the limit',
    ),
    deliveryReplicas: unless(deliveryAutoscaled, 'an autoscaler sets the replicas of delivery'),
  };
  const names = Object.keys(KNOB_TABLE) as KnobName[];
  return Object.fromEntries(
    names.map((name) => {
      const ofStandIn = KNOB_TABLE[name].emulator !== null;
      return [name, special[name] ?? unless(ofStandIn && !standIn, NEEDS_STAND_IN)];
    }),
  ) as Record<KnobName, KnobCapability>;
}
