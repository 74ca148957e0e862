import { BACKEND_SETTINGS, type ConfigOf, origin, SERVICE_SETTINGS } from '@bottleneck-lab/service-kit';

export const settings = {
  ...SERVICE_SETTINGS,
  ...BACKEND_SETTINGS,
  deliveryUrl: origin('DELIVERY_URL'),
  packageUrl: origin('PACKAGE_URL'),
  droneUtilizationUrl: origin('DRONE_UTILIZATION_URL'),
} as const;

export type GatewayConfig = ConfigOf<typeof settings>;
