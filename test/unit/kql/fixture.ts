import {
  type Column,
  createKqlEngine,
  type ExecuteOptions,
  KqlError,
  parseDatetime,
  type QueryResult,
  type Row,
  type TableSource,
} from '../../../emulators/app-insights/src/kql/index.js';

export const NOW = at('2026-01-01T01:00:00Z');

export function at(text: string): number {
  const datetime = parseDatetime(text);
  if (datetime === null) throw new Error(`no datetime: ${text}`);
  return datetime;
}

export const REQUEST_COLUMNS: readonly Column[] = [
  { name: 'timestamp', type: 'datetime' },
  { name: 'id', type: 'string' },
  { name: 'name', type: 'string' },
  { name: 'success', type: 'string' },
  { name: 'duration', type: 'real' },
  { name: 'itemCount', type: 'int' },
  { name: 'operation_Id', type: 'string' },
  { name: 'customDimensions', type: 'dynamic' },
];

export const DEPENDENCY_COLUMNS: readonly Column[] = [
  { name: 'timestamp', type: 'datetime' },
  { name: 'id', type: 'string' },
  { name: 'type', type: 'string' },
  { name: 'resultCode', type: 'string' },
  { name: 'duration', type: 'real' },
  { name: 'itemCount', type: 'int' },
  { name: 'operation_Id', type: 'string' },
];

/** Six requests, one a minute. */
export const REQUESTS: readonly Row[] = [
  [at('2026-01-01T00:00:30Z'), 'r1', 'GET a', 'True', 10, 1, 'o1', { step: '1', tags: ['x', 'y'], ru: 2.5 }],
  [at('2026-01-01T00:01:30Z'), 'r2', 'GET b', 'True', 20, 1, 'o2', { step: '1' }],
  [at('2026-01-01T00:02:30Z'), 'r3', 'GET a', 'False', 30, 2, 'o3', { step: '2', tags: [] }],
  [at('2026-01-01T00:03:30Z'), 'r4', 'GET a', 'True', null, 1, 'o4', null],
  [at('2026-01-01T00:04:30Z'), 'r5', 'GET b', 'True', 50, 4, 'o5', { step: '2', ru: 1 }],
  [at('2026-01-01T00:05:30Z'), 'r6', 'GET c', '', 60, 1, '', {}],
];

/** Dependencies: two of o1, one of o2, one of an operation without request. */
export const DEPENDENCIES: readonly Row[] = [
  [at('2026-01-01T00:00:31Z'), 'd1', 'Http', '200', 5, 1, 'o1'],
  [at('2026-01-01T00:00:32Z'), 'd2', 'Azure DocumentDB', '429', 7, 1, 'o1'],
  [at('2026-01-01T00:01:31Z'), 'd3', 'Azure DocumentDB', '200', 9, 1, 'o2'],
  [at('2026-01-01T00:02:31Z'), 'd4', 'Http', '200', 11, 1, 'o9'],
];

export const engine = createKqlEngine({ requests: REQUEST_COLUMNS, dependencies: DEPENDENCY_COLUMNS });

export function source(columns: readonly Column[], ...batches: (readonly Row[])[]): TableSource {
  return { columns, batches: () => batches };
}

export const SOURCES = {
  // Two batches, as a ring buffer hands out its segments.
  requests: source(REQUEST_COLUMNS, REQUESTS.slice(0, 4), REQUESTS.slice(4)),
  dependencies: source(DEPENDENCY_COLUMNS, DEPENDENCIES),
};

export function query(text: string, options: ExecuteOptions = {}): QueryResult {
  return engine.execute(text, SOURCES, { now: NOW, ...options });
}

export function rows(text: string, options: ExecuteOptions = {}): unknown[][] {
  return query(text, options).rows;
}

/** The only cell of the result. */
export function value(text: string): unknown {
  const result = rows(text);
  if (result.length !== 1 || result[0]?.length !== 1)
    throw new Error(`not one cell: ${JSON.stringify(result)}`);
  return result[0][0];
}

/** `name:type, ...` of the result. */
export function shape(text: string): string {
  return query(text)
    .columns.map((c) => `${c.name}:${c.type}`)
    .join(', ');
}

export function failure(text: string, options: ExecuteOptions = {}): KqlError {
  try {
    query(text, options);
  } catch (error) {
    if (error instanceof KqlError) return error;
    throw error;
  }
  throw new Error(`did not fail: ${text}`);
}
