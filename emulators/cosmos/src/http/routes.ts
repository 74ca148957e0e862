import { CosmosError } from '../errors.js';

/** What a path addresses. */
export type RouteKind =
  | 'account'
  | 'databases'
  | 'database'
  | 'containers'
  | 'container'
  | 'items'
  | 'item'
  | 'partitionKeyRanges'
  | 'offers'
  | 'offer'
  | 'control';

export interface Route {
  readonly kind: RouteKind;
  readonly databaseId: string;
  readonly containerId: string;
  /** Item or offer id. */
  readonly id: string;
  /** What clients sign: the resource type and the link of the resource or, for feeds, of its parent. */
  readonly signedType: string;
  readonly signedLink: string;
}

const CACHED_ROUTES = 2000;
const cache = new Map<string, Route>();

/** Parses a request target. Results are cached, as clients ask for few different ones again and again. */
export function routeOf(target: string): Route {
  const cached = cache.get(target);
  if (cached !== undefined) return cached;
  const route = parse(target);
  // Point reads have a path of their own each and would only flush the others out.
  if (route.kind !== 'item') {
    if (cache.size >= CACHED_ROUTES) cache.clear();
    cache.set(target, route);
  }
  return route;
}

function parse(target: string): Route {
  const path = target.split('?', 1)[0] as string;
  const parts = path.split('/').filter((part) => part !== '');
  const decoded = parts.map((part) => decode(part, path));
  const [first = '', databaseId = '', third = '', , fifth = '', id = ''] = decoded;
  if (first === '') return route('account', decoded, '');
  if (first === '_emulator') return route('control', decoded, '');
  if (first === 'offers' && decoded.length <= 2) {
    return {
      ...route(decoded.length === 1 ? 'offers' : 'offer', [], 'offers'),
      id: databaseId,
      signedLink: databaseId.toLowerCase(),
    };
  }
  if (first === 'dbs') {
    if (decoded.length === 1) return route('databases', decoded, 'dbs');
    if (decoded.length === 2) return route('database', decoded, 'dbs');
    if (third === 'colls') {
      if (decoded.length === 3) return route('containers', decoded, 'colls');
      if (decoded.length === 4) return route('container', decoded, 'colls');
      if (fifth === 'pkranges' && decoded.length === 5)
        return route('partitionKeyRanges', decoded, 'pkranges');
      if (fifth === 'docs' && decoded.length === 5) return route('items', decoded, 'docs');
      if (fifth === 'docs' && decoded.length === 6) return { ...route('item', decoded, 'docs'), id };
    }
    return unknown(path, fifth || third);
  }
  throw new CosmosError('notFound', `There is no resource at ${path}.`);
}

function route(kind: RouteKind, parts: readonly string[], signedType: string): Route {
  const [, databaseId = '', , containerId = ''] = parts;
  const signed = parts.length % 2 === 0 ? parts : parts.slice(0, -1);
  return { kind, databaseId, containerId, id: '', signedType, signedLink: signed.join('/') };
}

const UNSUPPORTED_TYPES = new Set([
  'sprocs',
  'triggers',
  'udfs',
  'conflicts',
  'users',
  'clientencryptionkeys',
  'permissions',
  'attachments',
]);

/** Resources of the real service that this one does not have are named, so that nobody looks for a typing error. */
function unknown(path: string, type: string): never {
  const reason = UNSUPPORTED_TYPES.has(type)
    ? `The emulator does not support ${type}.`
    : 'There is no such resource type.';
  throw new CosmosError('notFound', `${reason} Path: ${path}`);
}

function decode(part: string, path: string): string {
  try {
    return decodeURIComponent(part);
  } catch (cause) {
    throw new CosmosError('badRequest', `The path ${path} is not correctly percent-encoded.`, { cause });
  }
}
