/**
 * The owners and months that exist. Fixed to one past year, so that nothing depends on the date of a run.
 * Load scripts draw from it, the seeder writes it, the services compute over it.
 */
export const DATASET = { owners: 360, year: 2019, months: 12, defaultSeed: 1 } as const;

/** `ownerIdOf(42)` is `o000042`. */
export function ownerIdOf(index: number): string {
  return `o${String(index).padStart(6, '0')}`;
}
