/** Where the application's documents live in Cosmos DB. */
export const DATABASE = 'invoicing';

export const CONTAINERS = {
  /** Partitioned by delivery: an owner's month is one document on an unknown partition, so reading it is a cross-partition query. */
  utilizationByDelivery: { id: 'utilization', partitionKeyPath: '/deliveryId' },
  /** The same documents partitioned by owner: reading an owner's month is a single-partition query. */
  utilizationByOwner: { id: 'utilization-by-owner', partitionKeyPath: '/ownerId' },
  packages: { id: 'packages', partitionKeyPath: '/ownerId' },
} as const;

/** One owner's drone use in one month; about 0.8 kB of JSON. */
export interface UtilizationDocument {
  id: string;
  deliveryId: string;
  type: 'DroneUtilization';
  ownerId: string;
  year: number;
  /** 1 to 12. */
  month: number;
  traveledMiles: number;
  assignedHours: number;
  /** Flight notes: what gives the document the size of the original's. */
  notes: string;
}

export interface PackagesDocument {
  /** See {@link packagesDocumentId}. */
  id: string;
  type: 'Packages';
  ownerId: string;
  year: number;
  month: number;
  count: number;
  /** Kilograms. */
  totalWeight: number;
}

/** The id under which an owner's month is read from the packages container, for example `o000042-2019-07`. */
export function packagesDocumentId(key: { ownerId: string; year: number; month: number }): string {
  return `${key.ownerId}-${key.year}-${String(key.month).padStart(2, '0')}`;
}
