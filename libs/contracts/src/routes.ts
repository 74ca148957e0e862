import { z } from 'zod';

/** Public routes, one per service. */
export const ROUTES = {
  invoices: '/api/invoices',
  deliveriesSummary: '/api/deliveries/summary',
  packagesSummary: '/api/packages/summary',
  droneUtilization: '/api/dronedeliveries/utilization',
} as const;

/**
 * Routes of each process's internal port; the health routes are also on the public port, and `profile` (POST) exists
 * only where a service was started with PROFILING=on.
 */
export const INTERNAL_ROUTES = {
  live: '/-/live',
  ready: '/-/ready',
  stats: '/-/stats',
  profile: '/-/profile',
} as const;

const integerText = (name: string, min: number, max: number) =>
  z
    .string({ error: `${name} is required` })
    .regex(/^\d{1,4}$/, `${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .refine((n) => n >= min && n <= max, `${name} must be a whole number from ${min} to ${max}`);

/** `?ownerId=o000042&year=2019&month=7`, the query of all four operations. Unknown parameters are refused. */
export const ownerMonthQuery = z.strictObject({
  ownerId: z
    .string({ error: 'ownerId is required' })
    .regex(/^o\d{6}$/, 'ownerId must be the letter o and six digits, for example o000042'),
  year: integerText('year', 2000, 2100),
  month: integerText('month', 1, 12),
});
export type OwnerMonth = z.output<typeof ownerMonthQuery>;

export const deliveriesSummary = z.object({
  /** Deliveries flown in the month. */
  count: z.int().nonnegative(),
  flownKilometres: z.number().nonnegative(),
  /** Waypoints inside a no-fly zone. */
  noFlyZoneWaypoints: z.int().nonnegative(),
});
export type DeliveriesSummary = z.infer<typeof deliveriesSummary>;

export const packagesSummary = z.object({
  count: z.int().nonnegative(),
  /** Kilograms. */
  totalWeight: z.number().nonnegative(),
});
export type PackagesSummary = z.infer<typeof packagesSummary>;

export const droneUtilization = z.object({
  traveledMiles: z.number().nonnegative(),
  assignedHours: z.number().nonnegative(),
});
export type DroneUtilization = z.infer<typeof droneUtilization>;

export const invoice = z.object({
  deliveries: deliveriesSummary,
  drones: droneUtilization,
  packages: packagesSummary,
});
export type Invoice = z.infer<typeof invoice>;
