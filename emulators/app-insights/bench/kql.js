// Measures the evaluator against loops that a programmer would write for the same question over the same rows.
// node emulators/app-insights/bench/kql.js [rows]   (after a build)
import { pathToFileURL } from 'node:url';
import { createKqlEngine, parseDatetime } from '../dist/kql/index.js';

/** @type {{ name: string, type: import('../dist/kql/index.js').KqlType }[]} */
const COLUMNS = [
  { name: 'timestamp', type: 'datetime' },
  { name: 'id', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'target', type: 'string' },
  { name: 'type', type: 'string' },
  { name: 'resultCode', type: 'string' },
  { name: 'success', type: 'string' },
  { name: 'duration', type: 'real' },
  { name: 'itemCount', type: 'int' },
  { name: 'operation_Id', type: 'string' },
  { name: 'cloud_RoleName', type: 'string' },
];
const [TIMESTAMP, RESULT_CODE, DURATION] = [0, 5, 7];
const TICKS_PER_MINUTE = 600_000_000;
const TICKS_PER_10_SECONDS = 100_000_000;

/** Rows like those of `dependencies`, over 30 minutes, from a fixed seed. */
export function makeRows(count, seed = 1) {
  const random = mulberry32(seed);
  const begin = parseDatetime('2026-03-01T10:00:00Z');
  const step = (30 * TICKS_PER_MINUTE) / count;
  return Array.from({ length: count }, (_, i) => {
    const throttled = random() < 0.02;
    const duration = Math.round(-Math.log(1 - random()) * 40_000) / 1000;
    return [
      begin + Math.floor(i * step),
      `id${i % 5000}`,
      'POST /dbs/d/colls/c/docs',
      `127.0.0.1:${8000 + (i % 9)}`,
      'Azure DocumentDB',
      throttled ? '429' : '200',
      throttled ? 'False' : 'True',
      duration,
      1,
      `operation${i % 20_000}`,
      'fabrikam-dronescheduler',
    ];
  });
}

function mulberry32(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The 95th percentile by minute, as one writes it: a map of arrays, sorted at the end. */
function percentileByBin(rows) {
  const groups = new Map();
  for (const row of rows) {
    const bin =
      row[TIMESTAMP] - (((row[TIMESTAMP] % TICKS_PER_MINUTE) + TICKS_PER_MINUTE) % TICKS_PER_MINUTE);
    const values = groups.get(bin);
    if (values === undefined) groups.set(bin, [row[DURATION]]);
    else values.push(row[DURATION]);
  }
  return [...groups].map(([bin, values]) => {
    const sorted = Float64Array.from(values).sort();
    return [bin, sorted[Math.ceil(0.95 * sorted.length) - 1]];
  });
}

function countByCode(rows) {
  const counts = new Map();
  for (const row of rows) {
    const time = row[TIMESTAMP];
    const bin = time - (((time % TICKS_PER_10_SECONDS) + TICKS_PER_10_SECONDS) % TICKS_PER_10_SECONDS);
    const key = `${bin} ${row[RESULT_CODE]}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return [...counts];
}

function filteredMean(rows) {
  let sum = 0;
  let count = 0;
  for (const row of rows) {
    if (row[RESULT_CODE] !== '200') continue;
    sum += row[DURATION];
    count += 1;
  }
  return [[sum / count]];
}

const CASES = [
  {
    name: 'percentile by bin',
    query: 'dependencies | summarize percentile(duration, 95) by bin(timestamp, 1m)',
    loop: percentileByBin,
  },
  {
    name: 'count by bin and code',
    query: 'dependencies | summarize count() by bin(timestamp, 10s), resultCode',
    loop: countByCode,
  },
  {
    name: 'filter and mean',
    query: 'dependencies | where resultCode == "200" | summarize avg(duration)',
    loop: filteredMean,
  },
];

function milliseconds(run) {
  const start = performance.now();
  run();
  return performance.now() - start;
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
}

/**
 * Times every case, the query and the loop in turns.
 * @param {{ rows?: number, rounds?: number }} [options]
 * @returns {{ name: string, rows: number, loopMs: number, queryMs: number, ratio: number }[]} medians
 */
export function benchKql({ rows = 1_000_000, rounds = 7 } = {}) {
  const data = makeRows(rows);
  const engine = createKqlEngine({ dependencies: COLUMNS });
  const sources = { dependencies: { columns: COLUMNS, batches: () => [data] } };
  engine.warm();
  return CASES.map(({ name, query, loop }) => {
    const loopTimes = [];
    const queryTimes = [];
    for (let round = 0; round < rounds; round += 1) {
      loopTimes.push(milliseconds(() => loop(data)));
      queryTimes.push(milliseconds(() => engine.execute(query, sources)));
    }
    const loopMs = median(loopTimes);
    const queryMs = median(queryTimes);
    return { name, rows, loopMs, queryMs, ratio: queryMs / loopMs };
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const rows = Number(process.argv[2] ?? 1_000_000);
  for (const { name, loopMs, queryMs, ratio } of benchKql({ rows })) {
    console.log(
      `${name}: loop ${loopMs.toFixed(0)} ms, query ${queryMs.toFixed(0)} ms, ratio ${ratio.toFixed(2)}`,
    );
  }
}
