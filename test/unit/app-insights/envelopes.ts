import { RowMapper } from '../../../emulators/app-insights/src/ingestion/rows.js';
import { ingestionLimits } from '../../../emulators/app-insights/src/limits.js';
import { TABLES, type TableName } from '../../../emulators/app-insights/src/schema.js';

export const KEY = '6b1b7c1e-0000-4000-8000-00000000abcd';

export function envelope(baseType: string, baseData: object, rest: object = {}): Record<string, unknown> {
  return {
    ver: 1,
    name: `Microsoft.ApplicationInsights.${baseType}`,
    time: '2026-01-02T03:04:05.678Z',
    sampleRate: 100,
    iKey: KEY,
    tags: {
      'ai.application.ver': '1.2.3',
      'ai.cloud.role': 'fabrikam-gateway',
      'ai.cloud.roleInstance': 'gateway-1',
      'ai.device.osVersion': 'Linux 6.1',
      'ai.internal.sdkVersion': 'node20:otel1.9:dst1.18.1',
      'ai.operation.id': '0af7651916cd43dd8448eb211c80319c',
      'ai.operation.parentId': 'b7ad6b7169203331',
      'ai.operation.name': 'GET /api/invoices',
    },
    data: { baseType, baseData },
    ...rest,
  };
}

export function newMapper(limits: object = {}): RowMapper {
  let id = 0;
  return new RowMapper({
    limits: ingestionLimits.parse(limits),
    identity: { appId: 'app-1', appName: 'live' },
    newItemId: () => `item-${id++}`,
  });
}

/** Rows of one item, by column name. */
export function mapped(
  item: unknown,
  mapper = newMapper(),
): { table: TableName; row: Record<string, unknown> }[] {
  const rows: { table: TableName; row: Record<string, unknown> }[] = [];
  mapper.map(item, (table, values) => {
    const columns = TABLES[table];
    if (columns.length !== values.length) throw new Error(`${table}: ${values.length} values`);
    rows.push({ table, row: Object.fromEntries(columns.map(({ name }, index) => [name, values[index]])) });
  });
  return rows;
}
