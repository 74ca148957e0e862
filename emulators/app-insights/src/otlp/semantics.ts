import type { Attributes } from './attributes.js';

/** HTTP attributes by their meaning, in the stable and in the older semantic conventions. */
const either =
  (...names: string[]) =>
  (attributes: Attributes): string | undefined => {
    for (const name of names) if (attributes[name] !== undefined) return String(attributes[name]);
    return undefined;
  };

export const httpMethod = either('http.request.method', 'http.method');
export const httpUrl = either('url.full', 'http.url');
export const httpStatus = either('http.response.status_code', 'http.status_code');
export const httpHost = either('server.address', 'http.host');
export const peerName = either('client.address', 'net.peer.name');
export const peerAddress = either('network.peer.address', 'net.peer.ip');
export const clientAddress = either(
  'client.address',
  'http.client_ip',
  'network.peer.address',
  'net.peer.ip',
);
const httpScheme = either('url.scheme', 'http.scheme');
const httpTarget = either('url.path', 'http.target');

/** Absolute URL of an HTTP span, or '' when its parts are not known. */
export function urlOf(attributes: Attributes): string {
  const whole = httpUrl(attributes);
  if (whole !== undefined) return whole;
  const scheme = httpScheme(attributes);
  const target = httpTarget(attributes);
  const host = httpHost(attributes) ?? peerName(attributes) ?? peerAddress(attributes);
  if (scheme === undefined || target === undefined || host === undefined) return '';
  const query = attributes['url.query'];
  const port = attributes['server.port'] ?? attributes['net.host.port'];
  const authority = port === undefined || host.includes(':') ? host : `${host}:${port}`;
  return `${scheme}://${authority}${target}${query === undefined ? '' : `?${query}`}`;
}

export function pathOf(url: string | undefined): string | undefined {
  return url !== undefined && URL.canParse(url) ? new URL(url).pathname : undefined;
}

/**
 * Attributes that have a column of their own or describe the connection: the exporter leaves them out of `customDimensions`.
 * `_MS.*` and `microsoft.*` are control attributes.
 */
const MAPPED = new Set([
  ...['client.address', 'client.port', 'server.address', 'server.port', 'url.full', 'url.path', 'url.query'],
  ...['url.scheme', 'error.type', 'network.local.address', 'network.local.port', 'network.protocol.name'],
  ...['network.peer.address', 'network.peer.port', 'network.protocol.version', 'network.transport'],
  ...['user_agent.original', 'http.request.method', 'http.response.status_code', 'exception.type'],
  ...[
    'exception.message',
    'exception.stacktrace',
    'enduser.id',
    'enduser.pseudo.id',
    'user_agent.synthetic.type',
  ],
  ...[
    'net.peer.ip',
    'net.peer.name',
    'net.host.ip',
    'peer.service',
    'http.user_agent',
    'http.method',
    'http.url',
  ],
  ...['http.status_code', 'http.route', 'http.host', 'db.system', 'db.statement', 'db.operation', 'db.name'],
  ...['rpc.system', 'rpc.grpc.status_code', 'http.scheme', 'http.target', 'http.flavor', 'net.transport'],
  ...['net.host.name', 'net.host.port', 'net.peer.port', 'http.client_ip', 'http.status_text'],
  ...['ai.operation.name', 'ai.dependency.type'],
]);

export function customProperties(attributes: Attributes): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (MAPPED.has(name) || name.startsWith('_MS.') || name.startsWith('microsoft.')) continue;
    result[name] = String(value);
  }
  return result;
}
