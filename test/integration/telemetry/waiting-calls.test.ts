import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { OPERATIONS } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { query } from '../app-insights/running-emulator.js';
import { startObservedLab } from './observed-lab.js';

const INVOICES = 20;

describe('calls that wait for a connection', () => {
  it('belong to the request that made them', async () => {
    await using receiver = await startAppInsightsEmulator();
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.endpoint, BACKEND_CONNECTIONS: '1' };
    await using lab = await startObservedLab(env);
    const invoices = Array.from({ length: INVOICES }, (_, i) => lab.getInvoice({ baggage: `lab.step=${i}` }));
    expect(new Set(await Promise.all(invoices))).toEqual(new Set([200]));
    await lab.stop();
    const requests = await query(
      receiver,
      `requests | summarize n = count(), operations = dcount(operation_Id), roots = countif(operation_ParentId == '')
        by step = tostring(customDimensions['lab.step']), name | order by toint(step) asc, name asc`,
    );
    const expected = Array.from({ length: INVOICES }, (_, step) =>
      Object.values(OPERATIONS)
        .sort()
        .map((name) => ({
          ...{ step: String(step), name, n: 1, operations: 1 },
          roots: name === OPERATIONS.getInvoice ? 1 : 0,
        })),
    ).flat();
    expect(requests).toEqual(expected);
  });
});
