/** Degrees. */
export interface Position {
  latitude: number;
  longitude: number;
}

export type Polygon = readonly Position[];

/** Mean radius of the earth (IUGG). */
const EARTH_RADIUS_KM = 6_371.0088;
const RADIANS_PER_DEGREE = Math.PI / 180;

/** Great-circle distance in kilometres, by the haversine formula. */
export function distanceKm(from: Position, to: Position): number {
  const sinHalfLatitude = Math.sin(((to.latitude - from.latitude) * RADIANS_PER_DEGREE) / 2);
  const sinHalfLongitude = Math.sin(((to.longitude - from.longitude) * RADIANS_PER_DEGREE) / 2);
  const haversine =
    sinHalfLatitude ** 2 +
    Math.cos(from.latitude * RADIANS_PER_DEGREE) *
      Math.cos(to.latitude * RADIANS_PER_DEGREE) *
      sinHalfLongitude ** 2;
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.sqrt(haversine));
}

/** Even-odd rule: a ray to the east crosses the outline of a polygon an odd number of times from inside. */
export function isInside(point: Position, polygon: Polygon): boolean {
  let inside = false;
  let previous = polygon[polygon.length - 1];
  for (const vertex of polygon) {
    if (previous && vertex.latitude > point.latitude !== previous.latitude > point.latitude) {
      const share = (point.latitude - vertex.latitude) / (previous.latitude - vertex.latitude);
      if (point.longitude < vertex.longitude + share * (previous.longitude - vertex.longitude))
        inside = !inside;
    }
    previous = vertex;
  }
  return inside;
}
