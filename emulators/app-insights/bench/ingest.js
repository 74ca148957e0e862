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

/** Items per second; each number is the best of `rounds`, as everything else on a machine only makes it slower. */
export async function ingestBenchmark({ items = 100_000, rounds = 5 } = {}) {
  const bodies = Array.from({ length: Math.ceil(items / ITEMS_PER_BODY) }, (_, body) =>
    Buffer.from(
      JSON.stringify(Array.from({ length: ITEMS_PER_BODY }, (_, i) => item(body * ITEMS_PER_BODY + i))),
    ),
  );
  const best = { parse: 0, ingest: 0, ingestWithLog: 0 };
  for (let round = 0; round < rounds; round += 1) {
    best.parse = Math.max(best.parse, await perSecond(bodies, (body) => JSON.parse(body.toString('utf8'))));
    const ingestion = newIngestion();
    best.ingest = Math.max(best.ingest, await perSecond(bodies, (body) => ingestion.track(body)));
    const directory = mkdtempSync(path.join(os.tmpdir(), 'ingest-bench-'));
    const log = await SegmentLog.open({ directory });
    const logged = newIngestion();
    logged.attach(log);
    best.ingestWithLog = Math.max(best.ingestWithLog, await perSecond(bodies, (body) => logged.track(body)));
    await log.close();
    rmSync(directory, { recursive: true });
  }
  return { ...best, ratioToParse: best.ingest / best.parse };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const result = await ingestBenchmark({ items: Number(process.argv[2] ?? 100_000) });
  process.stdout.write(
    `items per second: JSON.parse ${result.parse}, taken in ${result.ingest} (${result.ratioToParse.toFixed(2)} of it), ` +
      `with the log on disk ${result.ingestWithLog}\n`,
  );
}
