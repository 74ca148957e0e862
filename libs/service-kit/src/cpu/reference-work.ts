const POINTS = 40;
const VERTICES = 60;
const ROUNDS = 15;

const latitudes = Float64Array.from({ length: POINTS }, (_, i) => Math.sin(i * 1.7));
const longitudes = Float64Array.from({ length: POINTS }, (_, i) => Math.cos(i * 2.3));
const outline = {
  x: Float64Array.from({ length: VERTICES }, (_, i) => Math.cos((i / VERTICES) * 2 * Math.PI)),
  y: Float64Array.from({ length: VERTICES }, (_, i) => Math.sin((i / VERTICES) * 2 * Math.PI)),
};

/**
 * Always the same work, about 0.1 ms of it: great-circle distances and points in a polygon, the kind of computation that
 * the limited service does. Numbers in typed arrays only, so that V8 compiles it once and for good.
 */
export function referenceWork(): number {
  let result = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    for (let i = 1; i < POINTS; i += 1) {
      result += distance(i - 1, i) + crossings(latitudes[i] as number, longitudes[i] as number);
    }
  }
  return result;
}

function distance(from: number, to: number): number {
  const latitude = latitudes[to] as number;
  const before = latitudes[from] as number;
  const sinLatitude = Math.sin((latitude - before) / 2);
  const sinLongitude = Math.sin(((longitudes[to] as number) - (longitudes[from] as number)) / 2);
  return Math.asin(
    Math.sqrt(
      sinLatitude * sinLatitude + Math.cos(latitude) * Math.cos(before) * sinLongitude * sinLongitude,
    ) / 2,
  );
}

function crossings(x: number, y: number): number {
  let count = 0;
  let fromX = outline.x[VERTICES - 1] as number;
  let fromY = outline.y[VERTICES - 1] as number;
  for (let i = 0; i < VERTICES; i += 1) {
    const toX = outline.x[i] as number;
    const toY = outline.y[i] as number;
    if (toY > y !== fromY > y && x < toX + ((y - toY) / (fromY - toY)) * (fromX - toX)) count += 1;
    fromX = toX;
    fromY = toY;
  }
  return count;
}
