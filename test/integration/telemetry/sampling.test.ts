import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { DEPENDENCY_TYPES, OPERATIONS } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { query } from '../app-insights/running-emulator.js';
import { startObservedLab } from './observed-lab.js';

const INVOICES = 60;
const KEPT = 0.25;
/** Five standard deviations of a binomial count. */
const TOLERANCE = 5 * Math.sqrt(INVOICES * KEPT * (1 - KEPT));

type Receiver = { endpoint: string; connectionString: string };
const PATHS: [string, (receiver: Receiver) => Record<string, string>][] = [
  [
    'Application Insights',
    (receiver) => ({ APPLICATIONINSIGHTS_CONNECTION_STRING: receiver.connectionString }),
  ],
  ['OTLP', (receiver) => ({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint })],
];

describe('services that keep a share of traces', () => {
  it.each(PATHS)('keep whole ones, each of which counts for those left out: %s', async (_, environment) => {
    await using receiver = await startAppInsightsEmulator();
    const env = { ...environment(receiver), TELEMETRY_SAMPLING_RATIO: String(KEPT) };
    await using lab = await startObservedLab(env);
    for (let i = 0; i < INVOICES; i += 1) expect(await lab.getInvoice()).toBe(200);
    await lab.stop();

    const items = await query(
      receiver,
      `union (requests | project operation_Id, itemCount, what = name),
        (dependencies | where type in ('${DEPENDENCY_TYPES.http}', '${DEPENDENCY_TYPES.documentQuery}') | project operation_Id, itemCount, what = type)
      | summarize n = count(), standFor = sum(itemCount), operations = dcount(operation_Id) by what`,
    );
    const root = items.find(({ what }) => what === OPERATIONS.getInvoice);
    const kept = root?.n as number;
    expect(Math.abs(kept - INVOICES * KEPT)).toBeLessThan(TOLERANCE);
    const of = (what: string, perInvoice: number) => ({
      ...{ what, n: kept * perInvoice, standFor: (kept * perInvoice) / KEPT, operations: kept },
    });
    const expected = [
      ...Object.values(OPERATIONS).map((name) => of(name, 1)),
      ...[of(DEPENDENCY_TYPES.http, 3), of(DEPENDENCY_TYPES.documentQuery, 9)],
    ];
    expect(items).toHaveLength(expected.length);
    expect(items).toEqual(expect.arrayContaining(expected));
  });
});
