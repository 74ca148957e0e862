import type { DeliveriesSummary, OwnerMonth } from '@bottleneck-lab/contracts';
import { ServiceError } from '@bottleneck-lab/service-kit';
import { ERRORS } from './errors.js';
import type { Fleet, Route } from './fleet.js';
import { distanceKm, isInside, type Polygon } from './geometry.js';

/**
 * Sums up an owner's month: deliveries, kilometres flown, and waypoints inside a no-fly zone.
 * @param pause called after each route; where a CPU quota may stand still
 * @throws {ServiceError} DELIVERIES_NOT_FOUND
 */
export function getDeliveriesSummary(
  fleet: Fleet,
  month: OwnerMonth,
  pause: () => void = () => {},
): DeliveriesSummary {
  const routes = fleet.routesOf(month);
  if (!routes) {
    throw new ServiceError(ERRORS.DELIVERIES_NOT_FOUND, {
      detail: `There are no deliveries of ${month.ownerId} in ${month.year}-${month.month}`,
    });
  }
  let flownKilometres = 0;
  let noFlyZoneWaypoints = 0;
  for (const route of routes) {
    flownKilometres += lengthKm(route);
    noFlyZoneWaypoints += countInside(route, fleet.noFlyZones);
    pause();
  }
  return { count: routes.length, flownKilometres, noFlyZoneWaypoints };
}

function lengthKm(route: Route): number {
  let sum = 0;
  for (const [i, to] of route.entries()) {
    const from = route[i - 1];
    if (from) sum += distanceKm(from, to);
  }
  return sum;
}

function countInside(route: Route, zones: readonly Polygon[]): number {
  return route.filter((waypoint) => zones.some((zone) => isInside(waypoint, zone))).length;
}
