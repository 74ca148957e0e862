import { DATASET } from '@bottleneck-lab/contracts';
import { type ConfigOf, integer, SERVICE_SETTINGS } from '@bottleneck-lab/service-kit';

export const settings = {
  ...SERVICE_SETTINGS,
  /** The seed alone determines all routes and no-fly zones. */
  dataSeed: integer('DATA_SEED', { min: 0, max: 4_294_967_295, default: DATASET.defaultSeed }),
} as const;

export type DeliveryConfig = ConfigOf<typeof settings>;
