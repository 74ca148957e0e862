import { startAppInsightsEmulator } from '@bottleneck-lab/app-insights-emulator';
import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtoLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPMetricExporter as JsonMetrics } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtoMetrics } from '@opentelemetry/exporter-metrics-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtoTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { CompressionAlgorithm } from '@opentelemetry/otlp-exporter-base';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { query, send } from './running-emulator.js';

const resource = resourceFromAttributes({
  'service.name': 'fabrikam-gateway',
  'service.instance.id': 'gateway-1',
  'service.version': '1.2.3',
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.version': '2.7.1',
});

const ENCODINGS = [
  ['JSON', { Traces: JsonTraces, Metrics: JsonMetrics, Logs: JsonLogs }],
  ['protobuf', { Traces: ProtoTraces, Metrics: ProtoMetrics, Logs: ProtoLogs }],
] as const;

describe.each(ENCODINGS)('OTLP over %s, by the official exporters', (_, { Traces, Metrics, Logs }) => {
  const gzip = { compression: CompressionAlgorithm.GZIP };

  it('makes requests, dependencies, traces and exceptions of spans', async () => {
    await using emulator = await startAppInsightsEmulator();
    const exporter = new Traces({ url: `${emulator.endpoint}/v1/traces`, ...gzip });
    const provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new SimpleSpanProcessor(exporter)],
    });
    const tracer = provider.getTracer('test');
    const start = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
    const server = tracer.startSpan('GET', { kind: SpanKind.SERVER, startTime: start });
    server.setAttributes({
      'http.method': 'GET',
      'http.url': 'http://127.0.0.1:1/api/invoices?year=2019',
      'http.route': '/api/invoices',
      'http.status_code': 200,
      'lab.step': '3',
      'microsoft.sample_rate': 25,
    });
    const parent = trace.setSpan((await import('@opentelemetry/api')).ROOT_CONTEXT, server);
    const client = tracer.startSpan('POST', { kind: SpanKind.CLIENT, startTime: start }, parent);
    client.setAttributes({
      'http.method': 'POST',
      'http.url': 'http://127.0.0.1:8081/dbs/d/colls/c/docs',
      'http.status_code': 429,
      'peer.service': '127.0.0.1:8081|d',
      'ai.dependency.type': 'Azure DocumentDB',
      'ai.operation.name': 'GET /api/invoices',
      'CosmosDb.RequestCharge': 3.2,
    });
    client.setStatus({ code: SpanStatusCode.ERROR });
    client.addEvent('waited', { ms: 12 }, start + 1);
    client.recordException(new TypeError('no'), start + 2);
    client.end(start + 65);
    server.end(start + 100.5);
    await provider.shutdown();

    const [request] = await query(emulator, 'requests');
    expect(request).toMatchObject({
      timestamp: '2026-01-02T03:04:05.678Z',
      id: server.spanContext().spanId,
      name: 'GET /api/invoices',
      url: 'http://127.0.0.1:1/api/invoices?year=2019',
      success: 'True',
      resultCode: '200',
      duration: 100.5,
      operation_Name: 'GET /api/invoices',
      operation_Id: server.spanContext().traceId,
      operation_ParentId: '',
      application_Version: '1.2.3',
      cloud_RoleName: 'fabrikam-gateway',
      cloud_RoleInstance: 'gateway-1',
      sdkVersion: 'nodejs:otlp2.7.1',
      itemCount: 4,
      customDimensions: '{"lab.step":"3"}',
    });
    const [dependency] = await query(emulator, 'dependencies');
    expect(dependency).toMatchObject({
      id: client.spanContext().spanId,
      target: '127.0.0.1:8081|d',
      type: 'Azure DocumentDB',
      name: 'POST /dbs/d/colls/c/docs',
      data: 'http://127.0.0.1:8081/dbs/d/colls/c/docs',
      success: 'False',
      resultCode: '429',
      duration: 65,
      operation_Name: 'GET /api/invoices',
      operation_ParentId: server.spanContext().spanId,
      customDimensions: '{"CosmosDb.RequestCharge":"3.2"}',
    });
    const [message] = await query(emulator, 'traces');
    expect(message).toMatchObject({ message: 'waited', operation_ParentId: client.spanContext().spanId });
    const [exception] = await query(emulator, 'exceptions');
    expect(exception).toMatchObject({ type: 'TypeError', outerMessage: 'no' });
  });

  it('makes increments of running totals', async () => {
    await using emulator = await startAppInsightsEmulator();
    const exporter = new Metrics({ url: `${emulator.endpoint}/v1/metrics`, ...gzip });
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
    const provider = new MeterProvider({ resource, readers: [reader] });
    const meter = provider.getMeter('test');
    const counter = meter.createCounter('requests');
    const histogram = meter.createHistogram('ru');
    const gauge = meter.createGauge('load');
    for (const round of [1, 2]) {
      counter.add(5 * round, { partition: '4' });
      histogram.record(3 * round, { partition: '4' });
      histogram.record(1, { partition: '4' });
      gauge.record(round / 10);
      await reader.forceFlush();
    }
    await provider.shutdown();
    const rows = await query(
      emulator,
      'customMetrics | project name, value, valueCount, p = customDimensions.partition',
    );
    const of = (name: string) =>
      rows.filter((row) => row.name === name).map(({ value, valueCount }) => [value, valueCount]);
    expect(of('requests')).toEqual([
      [5, 1],
      [10, 1],
    ]);
    expect(of('ru')).toEqual([
      [4, 2],
      [7, 2],
    ]);
    expect(of('load').slice(0, 2)).toEqual([
      [0.1, 1],
      [0.2, 1],
    ]);
    expect(rows.find((row) => row.name === 'ru')?.p).toBe('4');
  });

  it('makes traces, exceptions and custom events of log records', async () => {
    await using emulator = await startAppInsightsEmulator();
    const exporter = new Logs({ url: `${emulator.endpoint}/v1/logs`, ...gzip });
    const provider = new LoggerProvider({ resource, processors: [new SimpleLogRecordProcessor(exporter)] });
    const logger = provider.getLogger('test');
    logger.emit({ body: 'hello', severityNumber: 13, attributes: { code: 'X', list: [1, 2] } });
    logger.emit({ body: { a: 1 }, severityNumber: 9 });
    logger.emit({
      body: 'failed',
      severityNumber: 17,
      attributes: {
        'exception.type': 'RangeError',
        'exception.message': 'far',
        'exception.stacktrace': 'at x (y:1:1)',
      },
    });
    logger.emit({ attributes: { 'microsoft.custom_event.name': 'bought', item: 'drone' } });
    await provider.shutdown();
    const traces = await query(emulator, 'traces | project message, severityLevel, customDimensions');
    expect(traces).toEqual([
      { message: 'hello', severityLevel: 2, customDimensions: '{"code":"X","list":"[1,2]"}' },
      { message: '{"a":1}', severityLevel: 1, customDimensions: null },
    ]);
    expect(await query(emulator, 'exceptions | project type, outerMessage, severityLevel')).toEqual([
      { type: 'RangeError', outerMessage: 'far', severityLevel: 3 },
    ]);
    expect(await query(emulator, 'customEvents | project name, customDimensions')).toEqual([
      { name: 'bought', customDimensions: '{"item":"drone"}' },
    ]);
  });
});

describe('OTLP', () => {
  const post = (endpoint: string, path: string, init: { body: string; type: string }) =>
    fetch(endpoint + path, { method: 'POST', body: init.body, headers: { 'content-type': init.type } });

  it.each([
    ['garbage', '{', 'application/json', 400],
    ['a list', '[]', 'application/json', 400],
    ['spans that are none', '{"resourceSpans":[{"scopeSpans":[{"spans":[1]}]}]}', 'application/json', 400],
    ['spans that are no list', '{"resourceSpans":{}}', 'application/json', 400],
    ['bad protobuf', 'nonsense', 'application/x-protobuf', 400],
    ['another media type', 'x', 'text/plain', 415],
  ])('refuses %s', async (_, body, type, status) => {
    await using emulator = await startAppInsightsEmulator();
    const response = await post(emulator.endpoint, '/v1/traces', { body, type });
    expect(response.status).toBe(status);
    const bytes = Buffer.from(await response.arrayBuffer());
    expect(bytes.length).toBeGreaterThan(2);
    if (type === 'application/json')
      expect(JSON.parse(bytes.toString())).toMatchObject({ code: 3, message: expect.any(String) });
  });

  it('refuses attributes that are nested too deep', async () => {
    await using emulator = await startAppInsightsEmulator();
    let value: object = { stringValue: 'x' };
    for (let i = 0; i < 200; i += 1) value = { arrayValue: { values: [value] } };
    const body = JSON.stringify({
      resourceSpans: [{ resource: { attributes: [{ key: 'deep', value }] }, scopeSpans: [] }],
    });
    const response = await post(emulator.endpoint, '/v1/traces', { body, type: 'application/json' });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('nested too deep');
  });

  it('takes the rest in when some spans are refused, and says how many', async () => {
    await using emulator = await startAppInsightsEmulator();
    const span = (extra: object) => ({
      traceId: '0af7651916cd43dd8448eb211c80319c',
      spanId: 'b7ad6b7169203331',
      name: 's',
      kind: 'SPAN_KIND_INTERNAL',
      startTimeUnixNano: '1767323045678000000',
      endTimeUnixNano: '1767323045679000000',
      ...extra,
    });
    const spans = [span({}), span({ startTimeUnixNano: 0, endTimeUnixNano: 0 })];
    const reply = await send<object>(`${emulator.endpoint}/v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    });
    expect(reply).toMatchObject({
      status: 200,
      body: { partialSuccess: { rejectedSpans: '1', errorMessage: expect.stringContaining("'time'") } },
    });
    expect(await query(emulator, 'dependencies | count')).toEqual([{ Count: 1 }]);
  });
});
