// Cuts the recording of a real run down to what the rules read, so that it can lie beside their tests:
//   node test/unit/lab-diagnosis/recorded/cut-recording.mjs runs/<id> <name>
// Rows keep their seconds, counts, sums and maxima. Histograms keep their mean only, and calls to the database are
// summed over the partitions, of which the account's own rows tell. Build first.
import { writeFileSync } from 'node:fs';
import { brotliCompressSync } from 'node:zlib';
import { summarizeDurations } from '../../../../lab/dist/recording/index.js';
import { readRecording } from '../../../../lab/dist/results/index.js';

const [run, name] = process.argv.slice(2);
if (run === undefined || name === undefined) throw new Error('give the folder of a run and a name');
const recording = readRecording(run);
const zero = Math.round(recording.meta.loadStartMs / 1000);

const rounded = (value) => Math.round(value * 100) / 100;

function withMean(row) {
  if (row.duration === undefined) return row;
  const { count, sumMs, maxMs } = row.duration;
  const { histogram } = summarizeDurations(Array(count).fill(count === 0 ? 0 : sumMs / count));
  return { ...row, duration: { count, sumMs: rounded(sumMs), maxMs: rounded(maxMs), histogram } };
}

function summedOverPartitions(rows) {
  const groups = new Map();
  for (const row of rows) {
    const { second, role, instance, operation, type, target, resultCode } = row;
    const key = JSON.stringify([second, role, instance, operation, type, target, resultCode]);
    const known = groups.get(key);
    if (known === undefined) {
      groups.set(key, { ...row, partition: '', duration: { ...row.duration } });
      continue;
    }
    for (const field of ['count', 'retries', 'requestCharge', 'retryWaitMs']) known[field] += row[field];
    known.duration.count += row.duration.count;
    known.duration.sumMs += row.duration.sumMs;
    known.duration.maxMs = Math.max(known.duration.maxMs, row.duration.maxMs);
  }
  return [...groups.values()].map((row) => ({ ...row, requestCharge: rounded(row.requestCharge) }));
}

const inside = recording.rows.filter((row) => row.second >= zero);
const rows = [
  ...inside.filter((row) => row.kind !== 'dependency'),
  ...summedOverPartitions(inside.filter((row) => row.kind === 'dependency')),
]
  .map(withMean)
  .sort((a, b) => a.second - b.second);
const { scenario, machine, ...meta } = recording.meta;
// What teaches is no part of a measurement.
const { teaching: _, ...measured } = scenario;
const cut = {
  ...recording,
  meta: { ...meta, scenario: measured, machine: { ...machine, os: 'Linux x64' } },
  load: { ...recording.load, summary: null },
  rows,
};
const file = new URL(`${name}.json.br`, import.meta.url);
writeFileSync(file, brotliCompressSync(JSON.stringify(cut)));
