import { describe, expect, it } from 'vitest';
import type { Row } from '../../../emulators/app-insights/src/kql/index.js';
import { TABLES, type TableName } from '../../../emulators/app-insights/src/schema.js';
import { TelemetryStore } from '../../../emulators/app-insights/src/store/store.js';

const row = (table: TableName, marker: number): Row =>
  TABLES[table].map((_, index) => (index === 0 ? marker : ''));
const markers = (store: TelemetryStore, table: TableName) =>
  [...store.sources[table].batches()].flatMap((batch) => batch.map((entry) => entry[0] as number));

describe('TelemetryStore', () => {
  it('hands out rows in order of arrival', () => {
    const store = new TelemetryStore({ rows: 10_000, bytes: 1e9 });
    for (let i = 0; i < 3000; i += 1) store.add('traces', row('traces', i), 100);
    expect(markers(store, 'traces')).toEqual(Array.from({ length: 3000 }, (_, i) => i));
    expect(store.sources.traces.rowCount).toBe(3000);
    expect(store.counts()).toMatchObject({
      ingested: { traces: 3000 },
      retained: { traces: 3000 },
      evicted: { traces: 0 },
    });
  });

  it('drops the oldest rows of a table above its row limit, and counts them', () => {
    const store = new TelemetryStore({ rows: 5000, bytes: 1e9 });
    for (let i = 0; i < 20_000; i += 1) store.add('requests', row('requests', i), 100);
    store.add('traces', row('traces', 1), 100);
    const kept = markers(store, 'requests');
    const { ingested, retained, evicted } = store.counts();
    expect(kept.length).toBeLessThanOrEqual(5000);
    expect(kept.length).toBeGreaterThan(5000 - 1025);
    expect(kept.at(-1)).toBe(19_999);
    expect(kept[0]).toBe(20_000 - kept.length);
    expect(retained.requests + evicted.requests).toBe(ingested.requests);
    expect(retained.traces).toBe(1);
  });

  it('drops what arrived first, of whatever table, above its byte limit', () => {
    const store = new TelemetryStore({ rows: 1e6, bytes: 10_000_000 });
    for (let i = 0; i < 2000; i += 1) store.add('customEvents', row('customEvents', i), 1000);
    for (let i = 0; i < 9000; i += 1) store.add('dependencies', row('dependencies', i), 1000);
    expect(store.bytes).toBeLessThanOrEqual(10_000_000);
    const { retained, evicted } = store.counts();
    expect(retained.customEvents).toBe(0);
    expect(evicted.customEvents).toBe(2000);
    expect(evicted.dependencies).toBeGreaterThan(0);
    expect(markers(store, 'dependencies').at(-1)).toBe(8999);
  });

  it('keeps a batch that a query holds, though its table drops it', () => {
    const store = new TelemetryStore({ rows: 1000, bytes: 1e9 });
    for (let i = 0; i < 1000; i += 1) store.add('traces', row('traces', i), 1);
    const held = store.sources.traces.batches();
    for (let i = 0; i < 5000; i += 1) store.add('traces', row('traces', 10_000 + i), 1);
    expect([...held][0]?.[0]?.[0]).toBe(0);
  });
});
