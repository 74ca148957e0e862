import { type Attributes, idOf, textOf } from './attributes.js';
import {
  httpHost,
  httpMethod,
  httpStatus,
  httpUrl,
  pathOf,
  peerAddress,
  peerName,
  urlOf,
} from './semantics.js';
import { SPAN_KIND, type SpanScope } from './spans.js';

/** Names that Application Insights gives to some database systems; all other SQL systems are `SQL`. */
const DATABASE_TYPES: Readonly<Record<string, string>> = {
  mysql: 'mysql',
  postgresql: 'postgresql',
  mongodb: 'mongodb',
  redis: 'redis',
  ...Object.fromEntries(
    ['db2', 'derby', 'mariadb', 'mssql', 'oracle', 'sqlite', 'other_sql', 'hsqldb', 'h2'].map((name) => [
      name,
      'SQL',
    ]),
  ),
};

/**
 * Dependency fields of an outgoing or internal span, by the Azure Monitor exporter's rules. `ai.dependency.type` overrides the type
 * (a convention of this project: the exporter has no attribute for it), as `ai.operation.name` does the operation's name.
 */
export function dependencyData(scope: SpanScope): Record<string, unknown> {
  const { span, attributes, succeeded, duration } = scope;
  const base = { id: idOf(span.spanId), success: succeeded, duration, ...described(scope) };
  const type = attributes['ai.dependency.type'];
  return type === undefined ? base : { ...base, type: String(type) };
}

function described({ span, attributes, kind }: SpanScope): Record<string, string> {
  const name = textOf(span.name, 'name');
  const database = attributes['db.system'];
  const rpc = attributes['rpc.system'];
  if (httpMethod(attributes) !== undefined) return httpDependency(attributes, name);
  if (database !== undefined) return { name, ...databaseDependency(attributes, String(database)) };
  if (rpc !== undefined) {
    const target = targetOf(attributes) || String(rpc);
    const type = rpc === 'wcf' ? 'WCF Service' : 'GRPC';
    return { name, type, target, resultCode: String(attributes['rpc.grpc.status_code'] ?? '0') };
  }
  const type = kind === SPAN_KIND.producer ? 'Queue Message' : isInner(span, kind) ? 'InProc' : 'Dependency';
  const namespace = attributes['az.namespace'];
  const inProcess = type === 'InProc' && namespace !== undefined ? `InProc | ${namespace}` : type;
  return { name, type: inProcess, target: targetOf(attributes), resultCode: '0' };
}

const isInner = (span: Record<string, unknown>, kind: number) =>
  kind === SPAN_KIND.internal && idOf(span.parentSpanId) !== '';

function httpDependency(attributes: Attributes, name: string): Record<string, string> {
  const path = pathOf(httpUrl(attributes));
  return {
    name: path === undefined ? name : `${httpMethod(attributes)} ${path}`,
    type: 'Http',
    data: urlOf(attributes),
    target: withoutDefaultPort(targetOf(attributes)),
    resultCode: httpStatus(attributes) ?? '0',
  };
}

function databaseDependency(attributes: Attributes, system: string): Record<string, string> {
  const target = targetOf(attributes);
  const database = attributes['db.name'];
  const statement = attributes['db.statement'] ?? attributes['db.operation'] ?? '';
  const parts = [target, database].filter((part) => part !== undefined && part !== '');
  return {
    type: DATABASE_TYPES[system] ?? system,
    data: String(statement),
    target: parts.length === 0 ? system : parts.join('|'),
    resultCode: '0',
  };
}

function targetOf(attributes: Attributes): string {
  const peer = attributes['peer.service'];
  if (peer !== undefined) return String(peer);
  return httpHost(attributes) ?? httpUrl(attributes) ?? peerName(attributes) ?? peerAddress(attributes) ?? '';
}

function withoutDefaultPort(target: string): string {
  return target.replace(/^(https:\/\/[^/]*):443\b/, '$1').replace(/^(http:\/\/[^/]*):80\b/, '$1');
}
