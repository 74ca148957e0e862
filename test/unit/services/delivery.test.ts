import { DATASET, deliveriesSummary, ownerIdOf } from '@bottleneck-lab/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { getDeliveriesSummary } from '../../../services/delivery/src/deliveries-summary.js';
import { createFleet } from '../../../services/delivery/src/fleet.js';
import {
  distanceKm,
  isInside,
  type Polygon,
  type Position,
} from '../../../services/delivery/src/geometry.js';

const radians = (degrees: number) => (degrees * Math.PI) / 180;

/** Angle between two position vectors: another way to a great-circle distance. */
function chordDistanceKm(a: Position, b: Position): number {
  const vector = ({ latitude, longitude }: Position) => [
    Math.cos(radians(latitude)) * Math.cos(radians(longitude)),
    Math.cos(radians(latitude)) * Math.sin(radians(longitude)),
    Math.sin(radians(latitude)),
  ];
  const [u, v] = [vector(a), vector(b)];
  const chord = Math.hypot(...u.map((x, i) => x - (v[i] ?? 0)));
  return 2 * 6_371.0088 * Math.asin(chord / 2);
}

/** Winding number by the sum of the angles under which the outline is seen: another way to decide inside or outside. */
function windsAround(point: Position, polygon: Polygon): boolean {
  let sum = 0;
  for (const [i, vertex] of polygon.entries()) {
    const next = polygon[(i + 1) % polygon.length] ?? vertex;
    const from = Math.atan2(vertex.latitude - point.latitude, vertex.longitude - point.longitude);
    const to = Math.atan2(next.latitude - point.latitude, next.longitude - point.longitude);
    sum += Math.atan2(Math.sin(to - from), Math.cos(to - from));
  }
  return Math.abs(sum) > Math.PI;
}

const fleet = createFleet(1);
const month = (owner: number, m = 7) => ({ ownerId: ownerIdOf(owner), year: DATASET.year, month: m });

describe('distanceKm', () => {
  it('knows a quarter of the earth, and no distance', () => {
    expect(distanceKm({ latitude: 0, longitude: 0 }, { latitude: 90, longitude: 0 })).toBeCloseTo(
      10_007.56,
      1,
    );
    expect(distanceKm({ latitude: 47, longitude: -122 }, { latitude: 47, longitude: -122 })).toBe(0);
  });

  it('agrees with the chord between position vectors', () => {
    const anywhere = fc.record({
      latitude: fc.double({ min: -89, max: 89, noNaN: true }),
      longitude: fc.double({ min: -180, max: 180, noNaN: true }),
    });
    fc.assert(
      fc.property(anywhere, anywhere, (a, b) => {
        expect(Math.abs(distanceKm(a, b) - chordDistanceKm(a, b))).toBeLessThan(0.01);
      }),
    );
  });
});

describe('isInside', () => {
  const at = (latitude: number, longitude: number): Position => ({ latitude, longitude });
  const notched = [at(0, 0), at(0, 10), at(10, 10), at(2, 5), at(10, 0)];

  it.each([
    [at(1, 5), true],
    [at(5, 5), false],
    [at(5, 1), true],
    [at(5, 9), true],
    [at(11, 5), false],
    [at(5, -1), false],
    [at(5, 11), false],
  ])('decides %o as %s in a notched square', (point, inside) => {
    expect(isInside(point, notched)).toBe(inside);
  });
});

describe('the fleet', () => {
  it('is determined by its seed alone', () => {
    const [again, other] = [createFleet(1), createFleet(2)];
    expect(again.noFlyZones).toEqual(fleet.noFlyZones);
    expect(again.routesOf(month(359, 12))).toEqual(fleet.routesOf(month(359, 12)));
    expect(other.routesOf(month(359, 12))).not.toEqual(fleet.routesOf(month(359, 12)));
  });

  it('flies every month of every owner, each differently', () => {
    const seen = new Set<string>();
    for (let owner = 0; owner < DATASET.owners; owner += 1) {
      for (let m = 1; m <= DATASET.months; m += 1) {
        const routes = fleet.routesOf(month(owner, m)) ?? [];
        expect(routes.length).toBeGreaterThanOrEqual(22);
        expect(Math.min(...routes.map((route) => route.length))).toBeGreaterThanOrEqual(14);
        seen.add(JSON.stringify(routes[0]?.[0]));
      }
    }
    expect(seen.size).toBe(DATASET.owners * DATASET.months);
  });

  it.each([
    { ownerId: ownerIdOf(DATASET.owners), year: DATASET.year, month: 1 },
    { ownerId: ownerIdOf(0), year: DATASET.year + 1, month: 1 },
    { ownerId: ownerIdOf(0), year: DATASET.year - 1, month: 12 },
  ])('knows nothing of %o', (unknown) => {
    expect(fleet.routesOf(unknown)).toBeUndefined();
    expect(() => getDeliveriesSummary(fleet, unknown)).toThrow('There are no deliveries');
  });
});

describe('getDeliveriesSummary', () => {
  it('agrees with an independent computation', () => {
    for (const query of [month(0), month(42), month(200, 1), month(359, 12)]) {
      const routes = fleet.routesOf(query) ?? [];
      let kilometres = 0;
      let waypoints = 0;
      for (const route of routes) {
        for (let i = 1; i < route.length; i += 1) {
          kilometres += chordDistanceKm(route[i - 1] as Position, route[i] as Position);
        }
        waypoints += route.filter((p) => fleet.noFlyZones.some((zone) => windsAround(p, zone))).length;
      }
      const summary = getDeliveriesSummary(fleet, query);
      expect(deliveriesSummary.parse(summary)).toEqual(summary);
      expect(summary.count).toBe(routes.length);
      expect(summary.flownKilometres).toBeCloseTo(kilometres, 3);
      expect(summary.noFlyZoneWaypoints).toBe(waypoints);
      expect(waypoints).toBeGreaterThan(0);
    }
  });

  it('offers to pause after each route', () => {
    let pauses = 0;
    const { count } = getDeliveriesSummary(fleet, month(42), () => {
      pauses += 1;
    });
    expect(pauses).toBe(count);
  });
});
