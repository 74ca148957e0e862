import type { Polygon, Position } from './geometry.js';
import { type Random, wholeBetween } from './random.js';

/** Where drones fly: about 40 by 40 km around a city. */
const CENTRE: Position = { latitude: 47.6, longitude: -122.3 };
const HALF_HEIGHT_DEGREES = 0.18;
const HALF_WIDTH_DEGREES = 0.27;

/** Airports, hospitals, stadiums, power plants. */
const NO_FLY_ZONES = 40;
const ZONE_VERTICES = { min: 18, max: 42 };
const ZONE_RADIUS_DEGREES = { min: 0.004, max: 0.018 };

export function somewhere(random: Random): Position {
  return {
    latitude: CENTRE.latitude + (2 * random() - 1) * HALF_HEIGHT_DEGREES,
    longitude: CENTRE.longitude + (2 * random() - 1) * HALF_WIDTH_DEGREES,
  };
}

export function createNoFlyZones(random: Random): Polygon[] {
  return Array.from({ length: NO_FLY_ZONES }, () => createZone(random));
}

/** An irregular outline around a centre; its vertices go round once, so that it does not cross itself. */
function createZone(random: Random): Polygon {
  const centre = somewhere(random);
  const vertices = wholeBetween(random, ZONE_VERTICES.min, ZONE_VERTICES.max);
  const { min, max } = ZONE_RADIUS_DEGREES;
  const radius = min + random() * (max - min);
  return Array.from({ length: vertices }, (_, i) => {
    const angle = (2 * Math.PI * (i + 0.8 * random())) / vertices;
    const reach = radius * (0.6 + 0.4 * random());
    return {
      latitude: centre.latitude + reach * Math.sin(angle),
      // A degree of longitude is shorter than one of latitude this far north.
      longitude: centre.longitude + (reach * Math.cos(angle)) / Math.cos((CENTRE.latitude * Math.PI) / 180),
    };
  });
}
