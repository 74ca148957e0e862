import { describe, expect, it } from 'vitest';
import { CumulativeSeries } from '../../../emulators/app-insights/src/otlp/cumulative-series.js';
import { dependencyData } from '../../../emulators/app-insights/src/otlp/dependency.js';
import { tagsOfResource } from '../../../emulators/app-insights/src/otlp/resource.js';
import { spanEnvelopes } from '../../../emulators/app-insights/src/otlp/spans.js';
import { envelope, mapped } from './envelopes.js';

type Attributes = Record<string, string | number | boolean>;

const dependency = (attributes: Attributes, kind = 3, span: object = {}) =>
  dependencyData({
    span: { name: 'named', spanId: '00f067aa0ba902b7', ...span },
    attributes,
    kind,
    succeeded: true,
    duration: '00:00:01.0000000',
  });

describe('dependencies of spans', () => {
  it.each([
    [
      'HTTP, older conventions',
      { 'http.method': 'GET', 'http.url': 'http://h:80/a?b=c', 'http.status_code': 503, 'http.host': 'h:80' },
      { type: 'Http', name: 'GET /a', target: 'h:80', data: 'http://h:80/a?b=c', resultCode: '503' },
    ],
    [
      'HTTP, stable conventions',
      {
        'http.request.method': 'PUT',
        'url.full': 'https://h/a',
        'http.response.status_code': 200,
        'server.address': 'h',
      },
      { type: 'Http', name: 'PUT /a', target: 'h', resultCode: '200' },
    ],
    [
      'HTTP with a peer',
      { 'http.method': 'GET', 'http.url': 'http://h/a', 'peer.service': 'fabrikam-delivery' },
      { target: 'fabrikam-delivery', resultCode: '0' },
    ],
    [
      'HTTP with a type of its own',
      { 'http.method': 'POST', 'http.url': 'http://h/a', 'ai.dependency.type': 'Azure DocumentDB' },
      { type: 'Azure DocumentDB', name: 'POST /a' },
    ],
    [
      'a database',
      { 'db.system': 'postgresql', 'db.name': 'shop', 'db.statement': 'select 1', 'net.peer.name': 'pg' },
      { type: 'postgresql', name: 'named', target: 'pg|shop', data: 'select 1', resultCode: '0' },
    ],
    [
      'an SQL database of another make',
      { 'db.system': 'mssql', 'db.operation': 'SELECT' },
      { type: 'SQL', target: 'mssql', data: 'SELECT' },
    ],
    [
      'gRPC',
      { 'rpc.system': 'grpc', 'rpc.grpc.status_code': 14, 'server.address': 'h' },
      { type: 'GRPC', target: 'h', resultCode: '14' },
    ],
    ['nothing that is known', {}, { type: 'Dependency', name: 'named', target: '', resultCode: '0' }],
  ] as [string, Attributes, object][])('%s', (_, attributes, expected) => {
    expect(dependency(attributes)).toMatchObject(expected);
  });

  it('call inner spans InProc and messages a queue', () => {
    const parentSpanId = 'b7ad6b7169203331';
    expect(dependency({}, 1, { parentSpanId })).toMatchObject({ type: 'InProc' });
    expect(dependency({ 'az.namespace': 'Microsoft.X' }, 1, { parentSpanId })).toMatchObject({
      type: 'InProc | Microsoft.X',
    });
    expect(dependency({}, 4)).toMatchObject({ type: 'Queue Message' });
  });
});

describe('the cloud role', () => {
  const role = (resource: Attributes) => tagsOfResource(resource)['ai.cloud.role'];
  it.each([
    [{ 'service.name': 'a' }, 'a'],
    [{ 'service.name': 'a', 'service.namespace': 'n' }, 'n.a'],
    [{ 'service.name': 'unknown_service:node', 'k8s.deployment.name': 'd', 'k8s.job.name': 'j' }, 'd'],
    [{ 'service.name': 'unknown_service:node' }, 'unknown_service:node'],
  ])('of %j is %s', (resource, expected) => {
    expect(role(resource as unknown as Attributes)).toBe(expected);
  });

  it('has the pod as its instance before anything else', () => {
    const instance = (resource: Attributes) => tagsOfResource(resource)['ai.cloud.roleInstance'];
    expect(instance({ 'k8s.pod.name': 'p', 'service.instance.id': 'i' })).toBe('p');
    expect(instance({ 'service.instance.id': 'i', 'host.name': 'h' })).toBe('i');
  });
});

describe('spans', () => {
  const span = {
    traceId: '0AF7651916CD43DD8448EB211C80319C',
    spanId: 'b7ad6b7169203331',
    name: 'GET',
    kind: 2,
    startTimeUnixNano: '1767323045678000000',
    endTimeUnixNano: '1767323046678000050',
  };
  const rowsOf = (extra: object) => {
    const request = { resourceSpans: [{ resource: {}, scopeSpans: [{ spans: [{ ...span, ...extra }] }] }] };
    return spanEnvelopes(request, { iKey: envelope('x', {}).iKey as string, maxNesting: 10 }).flatMap(
      (item) => mapped(item),
    );
  };
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });

  it('become requests named by method and route', () => {
    const [request] = rowsOf({
      attributes: [text('http.method', 'GET'), text('http.route', 'Deliveries/GetSummary')],
    });
    expect(request).toMatchObject({
      table: 'requests',
      row: {
        name: 'GET Deliveries/GetSummary',
        operation_Id: span.traceId.toLowerCase(),
        duration: 1000.0001,
        success: 'True',
      },
    });
  });

  it.each([
    [{ status: { code: 2 } }, 'False'],
    [{ status: { code: 1 }, attributes: [text('http.status_code', '500')] }, 'True'],
    [{ attributes: [text('http.status_code', '404')] }, 'False'],
    [{}, 'True'],
  ])('succeed by their status, or else by their HTTP status: %j', (extra, success) => {
    expect(rowsOf(extra)[0]?.row.success).toBe(success);
  });

  it('keep their links', () => {
    const links = [{ traceId: '1'.repeat(32), spanId: '2'.repeat(16) }];
    expect(rowsOf({ links })[0]?.row.customDimensions).toEqual({
      '_MS.links': JSON.stringify([{ operation_Id: '1'.repeat(32), id: '2'.repeat(16) }]),
    });
  });
});

describe('CumulativeSeries', () => {
  const total = (value: number, count: number) => ({ value, count, min: 1, max: 9 });

  it('gives what was added since the last total of the same series', () => {
    const series = new CumulativeSeries();
    const add = (key: string, value: number, count: number) =>
      series.added({ key, start: 's', total: total(value, count), isSum: false });
    expect(add('a', 10, 2)).toEqual(total(10, 2));
    expect(add('b', 5, 1)).toEqual(total(5, 1));
    expect(add('a', 16, 5)).toEqual({ value: 6, count: 3 });
    expect(add('a', 16, 5)).toEqual({ value: 0, count: 0 });
  });

  it('begins anew with another start, and where a total falls', () => {
    const series = new CumulativeSeries();
    const add = (start: string, value: number) =>
      series.added({ key: 'a', start, total: { value, count: 1 }, isSum: true });
    add('1', 10);
    expect(add('2', 12)).toEqual({ value: 12, count: 1 });
    expect(add('2', 15)).toEqual({ value: 3, count: 1 });
    expect(add('2', 4)).toEqual({ value: 4, count: 1 });
    expect(add('2', 4)).toEqual({ value: 0, count: 0 });
  });
});
