import { TelemetryError } from './errors.js';
import { records, type TelemetrySource } from './telemetry-source.js';

/** Operations that can be asked for without knowing their id. */
export const OPERATION_KINDS = {
  slowest: {
    what: 'the slowest operation',
    query: `requests | where operation_ParentId == '' | top 1 by duration desc | project operation_Id`,
    none: 'no operation was recorded',
  },
  throttled: {
    what: 'the operation with the most answers of 429',
    query: `dependencies | where resultCode == '429' | summarize refused = sum(itemCount), spent = max(duration) by operation_Id
| top 1 by refused desc | project operation_Id`,
    none: 'no operation was answered 429 by the database',
  },
} as const;
type OperationKind = keyof typeof OPERATION_KINDS;

const ID = /^[0-9a-f]{4,32}$/;
const LISTED = 5;

/** The complete id of an operation: of a kind, or that begins as given. Throws TRACE_UNKNOWN. */
export async function findOperation(source: TelemetrySource, given: string): Promise<string> {
  if (Object.hasOwn(OPERATION_KINDS, given)) {
    const { query, none } = OPERATION_KINDS[given as OperationKind];
    const [found] = await idsOf(source, query);
    if (found === undefined) throw unknown(`${none} in ${source.description}`);
    return found;
  }
  const beginning = given.toLowerCase();
  if (!ID.test(beginning)) {
    throw unknown(
      `"${given}" is no operation; allowed are ${Object.keys(OPERATION_KINDS).join(', ')}, or 4 to 32 hexadecimal digits of an operation_Id`,
    );
  }
  const found = await idsOf(
    source,
    `union requests, dependencies | where operation_Id startswith '${beginning}' | distinct operation_Id | top ${LISTED + 1} by operation_Id asc`,
  );
  const [only] = found;
  if (only === undefined) throw unknown(`no operation ${given} in ${source.description}`);
  if (found.length > 1) {
    const more = found.length > LISTED ? ' and more' : '';
    throw unknown(`"${given}" could be ${found.slice(0, LISTED).join(', ')}${more}; give more of the id`);
  }
  return only;
}

async function idsOf(source: TelemetrySource, query: string): Promise<string[]> {
  return records(await source.query(query)).map((row) => String(row.operation_Id));
}

const unknown = (detail: string) => new TelemetryError('TRACE_UNKNOWN', detail);
