import { COSMOS_PROPERTIES, COSMOS_RETRY_WAIT, DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import { records, type TelemetrySource } from '../telemetry/telemetry-source.js';
import type { MapEdge, OperationListed } from './api.js';

/** Which operations of a time range are listed. */
export const OPERATION_LISTS = ['slowest', 'failed', 'throttled', 'random'] as const;
export type OperationList = (typeof OPERATION_LISTS)[number];

const LISTED = 25;
/** Random ones are drawn from no more than this. */
const DRAWN_FROM = 20_000;

export interface OperationRange {
  run: string;
  /** Unix time in milliseconds of the load's start. */
  loadStartMs: number;
  /** Seconds of the load: [fromSecond, toSecond). */
  fromSecond: number;
  toSecond: number;
}

/** Operations of a run with what their queries met, by the list's order. */
export async function listOperations(options: {
  source: TelemetrySource;
  list: OperationList;
  range: OperationRange;
  random?: () => number;
}): Promise<OperationListed[]> {
  const { source, list, range, random = Math.random } = options;
  const drawn = list === 'random' ? await draw(source, range, random) : null;
  const rows = records(await source.query(query(list, range, drawn)));
  return rows.map((row) => ({
    operationId: String(row.operation_Id),
    startedAt: String(row.timestamp),
    second: (Date.parse(String(row.timestamp)) - range.loadStartMs) / 1000,
    durationMs: Number(row.duration),
    resultCode: String(row.resultCode),
    partitionQueries: Number(row.Queries),
    throttled: Number(row.Throttled),
    waitMs: Number(row.WaitMs),
    requestUnits: Number(row.Ru),
  }));
}

/** The run's requests at the gateway: those that no other request of the run caused. */
function requestsOf({ run, loadStartMs, fromSecond, toSecond }: OperationRange): string {
  const at = (second: number) => new Date(loadStartMs + second * 1000).toISOString();
  return `requests
| where tostring(customDimensions['lab.run']) == '${run}' and operation_ParentId == ''
| where timestamp >= datetime(${at(fromSecond)}) and timestamp < datetime(${at(toSecond)})`;
}

const ORDER: Record<OperationList, string> = {
  slowest: '| order by duration desc',
  failed: '| where success == false | order by timestamp asc',
  throttled: '| where Throttled > 0 | order by Throttled desc, duration desc',
  random: '| order by timestamp asc',
};

function query(list: OperationList, range: OperationRange, drawn: readonly string[] | null): string {
  const chosen = drawn === null ? '' : `| where operation_Id in (${drawn.map((id) => `'${id}'`).join(', ')})`;
  return `let database = dependencies
| where tostring(customDimensions['lab.run']) == '${range.run}'
| where type == '${DEPENDENCY_TYPES.documentQuery}' or name == '${COSMOS_RETRY_WAIT}'
| summarize Queries = countif(type == '${DEPENDENCY_TYPES.documentQuery}'), Throttled = countif(resultCode == '429'),
    WaitMs = sumif(duration, name == '${COSMOS_RETRY_WAIT}'),
    Ru = sum(todouble(customDimensions['${COSMOS_PROPERTIES.requestCharge}'])) by operation_Id;
${requestsOf(range)}
${chosen}
| join kind=leftouter database on operation_Id
| project timestamp, operation_Id, duration, resultCode, success, Queries = coalesce(Queries, 0), Throttled = coalesce(Throttled, 0),
    WaitMs = coalesce(WaitMs, 0.0), Ru = coalesce(Ru, 0.0)
${ORDER[list]}
| take ${LISTED}`;
}

async function draw(source: TelemetrySource, range: OperationRange, random: () => number): Promise<string[]> {
  const found = await source.query(`${requestsOf(range)}\n| take ${DRAWN_FROM}\n| project operation_Id`);
  const ids = found.rows.map(([id]) => String(id)).filter((id) => /^[0-9a-f]+$/.test(id));
  // Fisher and Yates, as far as needed.
  const wanted = Math.min(LISTED, ids.length);
  for (let at = 0; at < wanted; at += 1) {
    const other = at + Math.floor(random() * (ids.length - at));
    [ids[at], ids[other]] = [ids[other] as string, ids[at] as string];
  }
  return wanted === 0 ? [''] : ids.slice(0, wanted);
}

/** Who calls whom in a run. */
export async function applicationMap(source: TelemetrySource, run: string): Promise<MapEdge[]> {
  const rows = records(
    await source.query(`dependencies
| where tostring(customDimensions['lab.run']) == '${run}' and type != 'InProc'
| summarize Calls = sum(itemCount), Failed = sumif(itemCount, success == false),
    MeanMs = sum(duration * itemCount) / sum(itemCount) by cloud_RoleName, target, type
| order by cloud_RoleName asc, Calls desc`),
  );
  return rows.map((row) => ({
    caller: String(row.cloud_RoleName),
    callee: String(row.target),
    type: String(row.type),
    calls: Number(row.Calls),
    failed: Number(row.Failed),
    meanMs: Number(row.MeanMs),
  }));
}
