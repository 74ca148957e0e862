import { DATASET, type OwnerMonth } from '@bottleneck-lab/contracts';
import type { Polygon, Position } from './geometry.js';
import { mulberry32, type Random, wholeBetween } from './random.js';
import { createNoFlyZones, somewhere } from './region.js';

const DELIVERIES_PER_MONTH = { min: 22, max: 30 };
const WAYPOINTS_PER_ROUTE = { min: 14, max: 22 };
/** How far a drone strays from the straight line, in degrees. */
const DRIFT_DEGREES = 0.004;

export type Route = readonly Position[];

/** Every delivery flown by every owner, and where flying is forbidden. */
export interface Fleet {
  noFlyZones: readonly Polygon[];
  /** The routes of one owner's month, one per delivery; undefined for an owner or month the fleet does not know. */
  routesOf(month: OwnerMonth): Route[] | undefined;
}

/**
 * Generates the fleet's year from a seed. Positions are kept as pairs in one block of 32-bit floats (to within half a
 * metre), because objects for two million waypoints would take a hundred megabytes.
 */
export function createFleet(seed: number): Fleet {
  const random = mulberry32(seed);
  const noFlyZones = createNoFlyZones(random);
  const ownerMonths = DATASET.owners * DATASET.months;
  const positions = new Float32Array(ownerMonths * DELIVERIES_PER_MONTH.max * WAYPOINTS_PER_ROUTE.max * 2);
  /** Where each delivery's route begins in `positions`, and one more for the end. */
  const routeStarts: number[] = [];
  /** Where each owner's month begins in `routeStarts`, and one more for the end. */
  const monthStarts: number[] = [];
  let used = 0;
  for (let ownerMonth = 0; ownerMonth < ownerMonths; ownerMonth += 1) {
    monthStarts.push(routeStarts.length);
    const depot = somewhere(random);
    const deliveries = wholeBetween(random, DELIVERIES_PER_MONTH.min, DELIVERIES_PER_MONTH.max);
    for (let delivery = 0; delivery < deliveries; delivery += 1) {
      routeStarts.push(used);
      used = writeRoute(positions, { at: used, depot, random });
    }
  }
  monthStarts.push(routeStarts.length);
  routeStarts.push(used);
  const waypoints = positions.subarray(0, used);

  const readRoute = (route: number): Route => {
    const points: Position[] = [];
    for (let i = routeStarts[route] ?? used; i < (routeStarts[route + 1] ?? used); i += 2) {
      points.push({ latitude: waypoints[i] ?? 0, longitude: waypoints[i + 1] ?? 0 });
    }
    return points;
  };
  return {
    noFlyZones,
    routesOf({ ownerId, year, month }) {
      const owner = Number(ownerId.slice(1));
      if (year !== DATASET.year || !(owner < DATASET.owners) || month > DATASET.months) return undefined;
      const index = owner * DATASET.months + month - 1;
      const first = monthStarts[index] ?? 0;
      return Array.from({ length: (monthStarts[index + 1] ?? first) - first }, (_, i) =>
        readRoute(first + i),
      );
    },
  };
}

/** From the depot to a customer, drifting. Returns where the next route begins. */
function writeRoute(
  positions: Float32Array,
  options: { at: number; depot: Position; random: Random },
): number {
  const { depot, random } = options;
  const customer = somewhere(random);
  const waypoints = wholeBetween(random, WAYPOINTS_PER_ROUTE.min, WAYPOINTS_PER_ROUTE.max);
  let at = options.at;
  for (let i = 0; i < waypoints; i += 1) {
    const done = i / (waypoints - 1);
    const drift = i === 0 || i === waypoints - 1 ? 0 : DRIFT_DEGREES;
    positions[at] = depot.latitude + done * (customer.latitude - depot.latitude) + drift * (2 * random() - 1);
    positions[at + 1] =
      depot.longitude + done * (customer.longitude - depot.longitude) + drift * (2 * random() - 1);
    at += 2;
  }
  return at;
}
