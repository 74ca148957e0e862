/** The lab's processes by their short name, with the cloud role name that telemetry reports for each. */
export const ROLES = {
  gateway: 'fabrikam-gateway',
  delivery: 'fabrikam-delivery',
  package: 'fabrikam-package',
  'drone-utilization': 'fabrikam-dronescheduler',
} as const;

export type ServiceName = keyof typeof ROLES;
export type RoleName = (typeof ROLES)[ServiceName];
export const SERVICE_NAMES = Object.keys(ROLES) as ServiceName[];
