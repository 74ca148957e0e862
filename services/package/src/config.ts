import { type ConfigOf, SERVICE_SETTINGS } from '@bottleneck-lab/service-kit';
import { COSMOS_SETTINGS } from '@bottleneck-lab/service-kit/cosmos';

export const settings = { ...SERVICE_SETTINGS, ...COSMOS_SETTINGS } as const;

export type PackageConfig = ConfigOf<typeof settings>;
