import { COSMOS_PROPERTIES, COSMOS_RETRY_WAIT } from '@bottleneck-lab/contracts';
import { records, type TelemetrySource } from './telemetry-source.js';

/** One request, call or wait of an operation. */
export interface OperationSpan {
  id: string;
  parentId: string;
  /** `request`: answered by a service; `call`: made by one; `wait`: the time between a 429 and the next attempt. */
  kind: 'request' | 'call' | 'wait';
  name: string;
  role: string;
  /** Of a call: what kind of call, and where to. */
  type: string;
  target: string;
  /** Milliseconds after the operation's start. */
  startMs: number;
  durationMs: number;
  resultCode: string;
  success: boolean;
  /** Of a call to Cosmos DB, as far as its answer told; null where it did not. */
  partition: string | null;
  requestCharge: number | null;
  attempt: number | null;
  /** What a 429 asked to wait. */
  retryAfterMs: number | null;
  children: OperationSpan[];
}

/** An end-to-end transaction: everything that one request caused. */
export interface Operation {
  operationId: string;
  /** ISO 8601. */
  startedAt: string;
  durationMs: number;
  run: string;
  scenario: string;
  step: string;
  /** Spans without a parent here: the request itself; more when telemetry of it is missing. */
  roots: OperationSpan[];
}

const property = (name: string) => `customDimensions['${name}']`;

const SPANS = (operationId: string) => `union
    (requests | where operation_Id == '${operationId}' | extend spanKind = 'request', type = '', target = ''),
    (dependencies | where operation_Id == '${operationId}' | extend spanKind = iff(name == '${COSMOS_RETRY_WAIT}', 'wait', 'call'))
| project timestamp, duration, spanKind, id, operation_ParentId, name, cloud_RoleName, type, target, resultCode,
    success = success == true,
    partition = tostring(${property(COSMOS_PROPERTIES.partitionKeyRangeId)}),
    requestCharge = todouble(${property(COSMOS_PROPERTIES.requestCharge)}),
    attempt = toint(${property(COSMOS_PROPERTIES.attempt)}),
    retryAfterMs = todouble(${property(COSMOS_PROPERTIES.retryAfterMs)}),
    run = tostring(${property('lab.run')}), scenario = tostring(${property('lab.scenario')}), step = tostring(${property('lab.step')})
| order by timestamp asc, duration desc`;

interface SpanRow {
  timestamp: string;
  duration: number;
  spanKind: OperationSpan['kind'];
  id: string;
  operation_ParentId: string;
  name: string;
  cloud_RoleName: string;
  type: string;
  target: string;
  resultCode: string;
  success: boolean;
  partition: string;
  requestCharge: number | null;
  attempt: number | null;
  retryAfterMs: number | null;
  run: string;
  scenario: string;
  step: string;
}

/** Reads one operation by its complete id. Null when nothing of it was recorded. */
export async function readOperation(source: TelemetrySource, operationId: string): Promise<Operation | null> {
  const rows = records(await source.query(SPANS(operationId))) as unknown as SpanRow[];
  const [first] = rows;
  return first === undefined ? null : operationOf(operationId, rows);
}

/** Puts spans below their parents, in the order in which they began. */
function operationOf(operationId: string, rows: readonly SpanRow[]): Operation {
  const startedAtMs = Math.min(...rows.map((row) => Date.parse(row.timestamp)));
  const spans = rows.map((row) => spanOf(row, startedAtMs));
  const byId = new Map(spans.map((span) => [span.id, span]));
  const roots: OperationSpan[] = [];
  for (const span of spans) {
    const parent = byId.get(span.parentId);
    if (parent === undefined || parent === span) roots.push(span);
    else parent.children.push(span);
  }
  const { run = '', scenario = '', step = '' } = rows.find((row) => row.run !== '') ?? {};
  return {
    operationId,
    startedAt: new Date(startedAtMs).toISOString(),
    durationMs: Math.max(...spans.map((span) => span.startMs + span.durationMs)),
    ...{ run, scenario, step, roots },
  };
}

function spanOf(row: SpanRow, startedAtMs: number): OperationSpan {
  const {
    id,
    spanKind: kind,
    name,
    type,
    target,
    resultCode,
    success,
    requestCharge,
    attempt,
    retryAfterMs,
  } = row;
  return {
    ...{ id, kind, name, type, target, resultCode, success, requestCharge, attempt, retryAfterMs },
    parentId: row.operation_ParentId,
    role: row.cloud_RoleName,
    startMs: Date.parse(row.timestamp) - startedAtMs,
    durationMs: row.duration,
    partition: row.partition === '' ? null : row.partition,
    children: [],
  };
}
