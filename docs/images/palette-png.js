import { crc32, deflateSync } from 'node:zlib';

/**
 * A PNG of at most 256 colours, which is what pictures of text and lines need: a third of the size. Colours that are
 * nearly equal count as one; the rarest become the nearest of those that are kept.
 */
export function palettePng({ width, height, rgba }) {
  const { colors, indexOf } = choosePalette(rgba);
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      rows[y * (width + 1) + x + 1] = indexOf(bucketAt(rgba, 4 * (y * width + x)));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a pixel, each the number of a colour.
  header.set([8, 3, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(colors.flat())),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

const MOST_COLORS = 256;

/** Five bits of each channel. */
const bucketAt = (rgba, at) => ((rgba[at] >> 3) << 10) | ((rgba[at + 1] >> 3) << 5) | (rgba[at + 2] >> 3);

function choosePalette(rgba) {
  const counts = new Uint32Array(1 << 15);
  const sums = new Float64Array(3 << 15);
  for (let at = 0; at < rgba.length; at += 4) {
    const bucket = bucketAt(rgba, at);
    counts[bucket] += 1;
    for (let channel = 0; channel < 3; channel += 1) sums[3 * bucket + channel] += rgba[at + channel];
  }
  const colorOf = (bucket) =>
    [0, 1, 2].map((channel) => Math.round(sums[3 * bucket + channel] / counts[bucket]));
  const used = [...counts.keys()]
    .filter((bucket) => counts[bucket] > 0)
    .sort((a, b) => counts[b] - counts[a]);
  const colors = used.slice(0, MOST_COLORS).map(colorOf);
  const places = new Map(
    used.map((bucket, at) => [bucket, at < MOST_COLORS ? at : nearest(colors, colorOf(bucket))]),
  );
  return { colors, indexOf: (bucket) => places.get(bucket) };
}

function nearest(colors, wanted) {
  const distance = (color) => color.reduce((sum, value, channel) => sum + (value - wanted[channel]) ** 2, 0);
  return colors.reduce((best, color, at) => (distance(color) < distance(colors[best]) ? at : best), 0);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, check]);
}
