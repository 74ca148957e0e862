import { datetimeToIso } from '@bottleneck-lab/app-insights-emulator';
import { describe, expect, it } from 'vitest';
import { TABLES } from '../../../emulators/app-insights/src/schema.js';
import { envelope, KEY, mapped, newMapper } from './envelopes.js';

const ITEMS = {
  requests: envelope('RequestData', {
    id: 'r1',
    name: 'GET /',
    duration: '00:00:01',
    responseCode: '200',
    success: true,
  }),
  dependencies: envelope('RemoteDependencyData', { id: 'd1', name: 'GET /x', duration: '00:00:00.5' }),
  traces: envelope('MessageData', { message: 'hello', severityLevel: 'Warning' }),
  exceptions: envelope('ExceptionData', { exceptions: [{ typeName: 'TypeError', message: 'no' }] }),
  customEvents: envelope('EventData', { name: 'bought' }),
  customMetrics: envelope('MetricData', {
    metrics: [{ name: 'ru', value: 3.5, count: 2, min: 1, max: 2.5 }],
  }),
  performanceCounters: envelope('MetricData', {
    metrics: [{ name: '\\Process(??APP_WIN32_PROC??)\\% Processor Time', value: 12 }],
  }),
  availabilityResults: envelope('AvailabilityData', {
    id: 'a',
    name: 'ping',
    duration: '00:00:00.1',
    success: true,
  }),
  pageViews: envelope('PageViewData', { id: 'p', name: 'home', url: 'http://x/', duration: '00:00:00.2' }),
};

describe('rows', () => {
  it.each(Object.entries(ITEMS))('%s: every column has a value of its type', (table, item) => {
    const [mappedRow, ...more] = mapped(item);
    expect(more).toEqual([]);
    expect(mappedRow?.table).toBe(table);
    for (const { name, type } of TABLES[table as keyof typeof TABLES]) {
      const value = mappedRow?.row[name];
      expect(value, `${table}.${name}`).not.toBe(undefined);
      if (type === 'string') expect(typeof value, `${table}.${name}`).toBe('string');
      else if (type === 'dynamic')
        expect(value === null || typeof value === 'object', `${table}.${name}`).toBe(true);
      else expect(value === null || typeof value === 'number', `${table}.${name}`).toBe(true);
    }
  });

  it('gives every table the context columns', () => {
    for (const item of Object.values(ITEMS)) {
      const [only] = mapped(item);
      expect(only?.row).toMatchObject({
        operation_Name: 'GET /api/invoices',
        operation_Id: '0af7651916cd43dd8448eb211c80319c',
        operation_ParentId: 'b7ad6b7169203331',
        application_Version: '1.2.3',
        client_Type: 'PC',
        client_OS: 'Linux 6.1',
        cloud_RoleName: 'fabrikam-gateway',
        cloud_RoleInstance: 'gateway-1',
        appId: 'app-1',
        appName: 'live',
        iKey: KEY,
        sdkVersion: 'node20:otel1.9:dst1.18.1',
        itemId: 'item-0',
        itemCount: 1,
      });
    }
  });

  it('maps a request', () => {
    const data = {
      id: '00f067aa0ba902b7',
      name: 'GET DroneDeliveries/GetDroneUtilization',
      url: 'http://127.0.0.1:1/api/dronedeliveries/utilization?ownerId=o000001',
      responseCode: '504',
      success: false,
      duration: '00:01:02.3456789',
      properties: { 'lab.step': '3' },
      measurements: { bytes: 12 },
    };
    const [request] = mapped(envelope('RequestData', data));
    expect(request?.row).toMatchObject({
      id: data.id,
      name: data.name,
      url: data.url,
      success: 'False',
      resultCode: '504',
      duration: 62_345.6789,
      performanceBucket: '1min-2min',
      itemType: 'request',
      customDimensions: { 'lab.step': '3' },
      customMeasurements: { bytes: 12 },
    });
    expect(datetimeToIso(request?.row.timestamp as number)).toBe('2026-01-02T03:04:05.678Z');
  });

  it('keeps 100 ns of a time that has them', () => {
    const [trace] = mapped(
      envelope('MessageData', { message: 'x' }, { time: '2026-01-02T03:04:05.1234567Z' }),
    );
    expect(datetimeToIso(trace?.row.timestamp as number)).toBe('2026-01-02T03:04:05.1234567Z');
  });

  it('counts an item for all those that sampling left out', () => {
    const count = (sampleRate: unknown) =>
      mapped(envelope('EventData', { name: 'e' }, { sampleRate }))[0]?.row.itemCount;
    expect([100, 50, 25, 33.333, 3, undefined].map(count)).toEqual([1, 2, 4, 3, 33, 1]);
    expect(() => count(0)).toThrow(/sampleRate.*above 0/);
    expect(() => count('x')).toThrow(/expected a number/);
  });

  it('keeps standard metrics and the resource metric out of the tables', () => {
    const standard = {
      metrics: [{ name: 'requests/duration', value: 1 }],
      properties: { '_MS.MetricId': 'requests/duration' },
    };
    expect(mapped(envelope('MetricData', standard))).toEqual([]);
    expect(mapped(envelope('MetricData', { metrics: [{ name: '_OTELRESOURCE_', value: 1 }] }))).toEqual([]);
  });

  it('splits performance counters into category, counter and instance', () => {
    const of = (name: string) => mapped(envelope('MetricData', { metrics: [{ name, value: 1 }] }))[0];
    expect(of('\\Processor(_Total)\\% Processor Time')?.row).toMatchObject({
      name: '% Processor Time',
      category: 'Processor',
      counter: '% Processor Time',
      instance: '_Total',
    });
    expect(of('\\Memory\\Available Bytes')?.row).toMatchObject({ category: 'Memory', instance: '' });
    expect(of('\\odd')?.table).toBe('customMetrics');
  });

  it('names an exception by its first frame', () => {
    const stack = 'TypeError: no\n    at read (/app/dist/read.js:10:5)\n    at main (/app/dist/main.js:1:1)';
    const [exception] = mapped(
      envelope('ExceptionData', {
        severityLevel: 'Error',
        exceptions: [
          { typeName: 'TypeError', message: 'no', stack },
          { typeName: 'RangeError', message: 'inner' },
        ],
      }),
    );
    expect(exception?.row).toMatchObject({
      problemId: 'TypeError at read',
      type: 'TypeError',
      method: 'read',
      assembly: '/app/dist/read.js',
      outerMessage: 'no',
      innermostType: 'RangeError',
      innermostMessage: 'inner',
      severityLevel: 3,
      details: [{ rawStack: stack, severityLevel: 'Error' }, { type: 'RangeError' }],
    });
  });

  it('makes text of properties that are none', () => {
    const properties = { n: 1, b: true, o: { a: [1] }, none: null, text: 'x' };
    const [event] = mapped(envelope('EventData', { name: 'e', properties }));
    expect(event?.row.customDimensions).toEqual({ n: '1', b: 'true', o: '{"a":[1]}', text: 'x' });
  });

  it('cuts values and messages that are too long', () => {
    const properties = { long: 'x'.repeat(9000) };
    const message = 'm'.repeat(40_000);
    const [trace] = mapped(envelope('MessageData', { message, properties }));
    expect(trace?.row.customDimensions).toEqual({ long: 'x'.repeat(8192) });
    expect(trace?.row.message).toHaveLength(32_768);
  });

  it.each([
    ['an array', [], /must be an object, got an array/],
    ['text', 'x', /must be an object/],
    ['no key', { ...ITEMS.traces, iKey: '' }, /'iKey'.*required/],
    ['a bad key', { ...ITEMS.traces, iKey: 'nope' }, /Invalid instrumentation key: "nope"/],
    ['no time', { ...ITEMS.traces, time: undefined }, /'time'.*required/],
    ['a bad time', { ...ITEMS.traces, time: 'yesterday' }, /'time'.*ISO 8601.*"yesterday"/],
    ['no data', { ...ITEMS.traces, data: null }, /'data'.*required/],
    ['an unknown type', envelope('Nope', {}), /'baseType'.*"Nope"; known are RequestData/],
    ['an inherited name', envelope('constructor', {}), /'baseType'/],
    ['a bad duration', envelope('RequestData', { duration: '25:00:00' }), /'duration'.*"25:00:00"/],
    ['a bad success', envelope('RequestData', { success: [] }), /'success' must be true or false/],
    ['a bad severity', envelope('MessageData', { severityLevel: 'Bad' }), /'severityLevel' must be Verbose/],
    ['no exceptions', envelope('ExceptionData', { exceptions: [] }), /'exceptions'.*at least one/],
    ['no metrics', envelope('MetricData', {}), /'metrics'.*at least one/],
    ['a metric without a value', envelope('MetricData', { metrics: [{ name: 'm' }] }), /'value' of metric m/],
    ['a metric without a name', envelope('MetricData', { metrics: [{ value: 1 }] }), /'name'.*required/],
    ['properties as a list', envelope('EventData', { properties: [1] }), /'properties' must be an object/],
    [
      'a bad measurement',
      envelope('EventData', { measurements: { a: 'x' } }),
      /measurement "a" must be a number/,
    ],
    [
      'a long property name',
      envelope('EventData', { properties: { ['n'.repeat(151)]: 'x' } }),
      /at most 150/,
    ],
    [
      '10,000 properties',
      envelope('EventData', {
        properties: Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`p${i}`, 'x'])),
      }),
      /10000 properties; at most 512/,
    ],
    [
      'too much text',
      envelope('EventData', {
        properties: Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, 'x'.repeat(8000)])),
      }),
      /characters; at most 65536/,
    ],
  ])('refuses %s', (_, item, message) => {
    expect(() => mapped(item)).toThrow(message as RegExp);
  });

  it('adds nothing of an item that it refuses', () => {
    const rows: unknown[] = [];
    const metrics = [{ name: 'good', value: 1 }, { name: 'bad' }];
    expect(() => newMapper().map(envelope('MetricData', { metrics }), (_, row) => rows.push(row))).toThrow();
    expect(rows).toEqual([]);
  });
});
