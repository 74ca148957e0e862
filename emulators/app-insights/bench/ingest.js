// Measures how fast track bodies become rows, against JSON.parse over the same bodies, with and without the log on disk.
// node emulators/app-insights/bench/ingest.js [items]   (after a build)
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { Ingestion } from '../dist/ingestion/ingestion.js';
import { newItemIds } from '../dist/ingestion/item-ids.js';
import { RowMapper } from '../dist/ingestion/rows.js';
import { ingestionLimits, retention } from '../dist/limits.js';
import { SegmentLog } from '../dist/store/segment-log.js';
import { TelemetryStore } from '../dist/store/store.js';

const ITEMS_PER_BODY = 512;
const SPANS_PER_OPERATION = 12;

const hex = (number, digits) => (number * 2_654_435_761).toString(16).padStart(digits, '0').slice(-digits);

/** An attempt of a partition query, as the Azure Monitor exporter sends it: about 1.1 kB. */
function item(index) {
  const operation = Math.floor(index / SPANS_PER_OPERATION);
  return {
    ver: 1,
    name: 'Microsoft.ApplicationInsights.RemoteDependency',
    time: new Date(1_767_323_045_000 + index).toISOString(),
    sampleRate: 100,
    iKey: '00000000-0000-0000-0000-000000000001',
    tags: {
      'ai.application.ver': '0.1.0',
      'ai.device.osVersion': 'Linux 6.1',
      'ai.internal.sdkVersion': 'node20:otel1.9:dst1.18.1',
      'ai.cloud.role': 'fabrikam-dronescheduler',
      'ai.cloud.roleInstance': 'fabrikam-dronescheduler-4242',
      'ai.operation.id': hex(operation + 1, 32),
      'ai.operation.parentId': hex(operation + 7, 16),
      'ai.operation.name': 'GET DroneDeliveries/GetDroneUtilization',
    },
    data: {
      baseType: 'RemoteDependencyData',
      baseData: {
        ver: 2,
        id: hex(index + 3, 16),
        name: 'POST /dbs/invoicing/colls/utilization/docs',
        resultCode: '200',
        success: true,
        duration: `00:00:00.0${(index % 89) + 10}1234`,
        target: '127.0.0.1:8081|invoicing',
        type: 'Azure DocumentDB',
        data: 'http://127.0.0.1:8081/dbs/invoicing/colls/utilization/docs',
        properties: {
          'lab.run': '20260102-030405-article-parallel-ab12',
          'lab.scenario': 'parallel',
          'lab.step': String(index % 8),
          'CosmosDb.RequestCharge': '3.2',
          'CosmosDb.PartitionKeyRangeId': String(index % 9),
          'CosmosDb.Attempt': '1',
          'CosmosDb.DocumentCount': '1',
        },
        measurements: {},
      },
    },
  };
}

function newIngestion() {
  const limits = ingestionLimits.parse({ maxItemsPerSecond: 10_000_000 });
  const store = new TelemetryStore(retention.parse({ bytes: 2_000_000_000 }));
  const identity = { appId: 'bench', appName: 'bench' };
  const mapper = new RowMapper({ limits, identity, newItemId: newItemIds() });
  return new Ingestion({ store, limits, appId: 'bench', mapper });
}

async function perSecond(bodies, take) {
  const started = performance.now();
  for (const body of bodies) await take(body);
  return Math.round((bodies.length * ITEMS_PER_BODY * 1000) / (performance.now() - started));
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

/**
 * Medians of items per second, and of the ratio within each round: parsing and taking in take turns, so that a machine that is busy with
 * something else slows both.
 */
export async function ingestBenchmark({ items = 50_000, rounds = 9 } = {}) {
  const bodies = Array.from({ length: Math.ceil(items / ITEMS_PER_BODY) }, (_, body) =>
    Buffer.from(
      JSON.stringify(Array.from({ length: ITEMS_PER_BODY }, (_, i) => item(body * ITEMS_PER_BODY + i))),
    ),
  );
  const seen = { parse: [], ingest: [], ingestWithLog: [], ratioToParse: [] };
  for (let round = 0; round < rounds; round += 1) {
    const parse = await perSecond(bodies, (body) => JSON.parse(body.toString('utf8')));
    const ingestion = newIngestion();
    const ingest = await perSecond(bodies, (body) => ingestion.track(body));
    seen.parse.push(parse);
    seen.ingest.push(ingest);
    seen.ratioToParse.push(ingest / parse);
    seen.ingestWithLog.push(await withLog(bodies));
  }
  return Object.fromEntries(Object.entries(seen).map(([name, values]) => [name, median(values)]));
}

async function withLog(bodies) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'ingest-bench-'));
  const log = await SegmentLog.open({ directory });
  const ingestion = newIngestion();
  ingestion.attach(log);
  const rate = await perSecond(bodies, (body) => ingestion.track(body));
  await log.close();
  rmSync(directory, { recursive: true });
  return rate;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const result = await ingestBenchmark({ items: Number(process.argv[2] ?? 50_000) });
  process.stdout.write(
    `items per second: JSON.parse ${result.parse}, taken in ${result.ingest} (${result.ratioToParse.toFixed(2)} of it), ` +
      `with the log on disk ${result.ingestWithLog}\n`,
  );
}
