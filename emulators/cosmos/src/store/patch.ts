import { CosmosError } from '../errors.js';
import { translated } from '../query/sql-errors.js';
import { compileQuery, type QueryCache } from '../sql/index.js';
import type { Item } from './item.js';
import {
  assertPrecondition,
  changeItem,
  type ItemPlace,
  type JsonObject,
  type Precondition,
  requireItem,
} from './item-writes.js';

export const PATCH_OPERATIONS_LIMIT = 10;
const PATCH_TYPES = ['add', 'set', 'replace', 'remove', 'incr', 'move'] as const;
type PatchType = (typeof PATCH_TYPES)[number];

interface PatchOperation {
  op: PatchType;
  path: string;
  value?: unknown;
  from?: string;
}

export interface Patch {
  operations: PatchOperation[];
  /** `from c where ...`: the patch applies only to an item that matches. */
  condition: string | null;
}

/** Reads `[...]` or `{"operations": [...], "condition": "..."}`. */
export function parsePatch(body: unknown): Patch {
  const { operations, condition = null } = Array.isArray(body)
    ? { operations: body as unknown }
    : ((body ?? {}) as { operations?: unknown; condition?: unknown });
  if (!Array.isArray(operations) || operations.length === 0 || operations.length > PATCH_OPERATIONS_LIMIT) {
    throw new CosmosError('badRequest', `A patch needs 1 to ${PATCH_OPERATIONS_LIMIT} operations.`);
  }
  if (condition !== null && typeof condition !== 'string') {
    throw new CosmosError(
      'badRequest',
      'The condition of a patch has to be a text such as "from c where c.count = 1".',
    );
  }
  return { operations: operations.map(parseOperation), condition };
}

function parseOperation(value: unknown): PatchOperation {
  const operation = (value ?? {}) as Record<string, unknown>;
  const { op, path, from } = operation;
  if (!PATCH_TYPES.includes(op as PatchType)) {
    throw new CosmosError(
      'badRequest',
      `Patch operation ${JSON.stringify(op)} is unknown; there are ${PATCH_TYPES.join(', ')}.`,
    );
  }
  if (typeof path !== 'string' || !path.startsWith('/')) {
    throw new CosmosError(
      'badRequest',
      `The path of a patch operation has to begin with /, not ${JSON.stringify(path)}.`,
    );
  }
  if (op === 'move' && (typeof from !== 'string' || !from.startsWith('/'))) {
    throw new CosmosError(
      'badRequest',
      `The from of a move has to begin with /, not ${JSON.stringify(from)}.`,
    );
  }
  if (op !== 'remove' && op !== 'move' && !('value' in operation)) {
    throw new CosmosError('badRequest', `Patch operation ${op} of ${path} needs a value.`);
  }
  return operation as unknown as PatchOperation;
}

export interface PatchRequest {
  id: string;
  patch: Patch;
  when: Precondition;
  queries: QueryCache;
}

export function applyPatch(place: ItemPlace, { id, patch, when, queries }: PatchRequest): Item {
  const item = requireItem(place, id);
  assertPrecondition(item, when);
  if (patch.condition !== null) assertCondition(item, patch.condition, queries);
  const document = JSON.parse(item.text) as JsonObject;
  for (const operation of patch.operations) applyOperation(document, operation);
  if (document.id !== id) throw new CosmosError('badRequest', 'A patch cannot change the id of an item.');
  return changeItem(place, item, document);
}

function assertCondition(item: Item, condition: string, queries: QueryCache): void {
  const isMet = translated(() => {
    const query = compileQuery(queries.parse(`SELECT VALUE 1 ${condition}`), []);
    for (const _match of query.run([item.document])) return true;
    return false;
  });
  if (isMet) return;
  throw new CosmosError('preconditionFailed', `The patch condition is not met: ${condition}`);
}

function applyOperation(document: JsonObject, operation: PatchOperation): void {
  if (operation.op === 'move') {
    const from = locate(document, operation.from as string);
    const value = from.get();
    from.remove();
    locate(document, operation.path).add(value);
    return;
  }
  const place = locate(document, operation.path);
  if (operation.op === 'add') place.add(operation.value);
  else if (operation.op === 'set') place.set(operation.value);
  else if (operation.op === 'remove') place.remove();
  else if (operation.op === 'replace') {
    place.get();
    place.set(operation.value);
  } else {
    place.set(incremented(place.exists ? place.get() : 0, operation));
  }
}

function incremented(value: unknown, { path, value: by }: PatchOperation): number {
  if (typeof value !== 'number' || typeof by !== 'number') {
    throw new CosmosError(
      'badRequest',
      `incr of ${path} needs numbers, not ${JSON.stringify(value)} and ${JSON.stringify(by)}.`,
    );
  }
  return value + by;
}

interface Place {
  exists: boolean;
  get(): unknown;
  set(value: unknown): void;
  add(value: unknown): void;
  remove(): void;
}

/** Resolves a JSON pointer; all but its last part has to exist. */
function locate(document: JsonObject, pointer: string): Place {
  const parts = pointer
    .slice(1)
    .split('/')
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = parts.pop() as string;
  let parent: unknown = document;
  for (const part of parts) parent = child(parent, part, pointer);
  if (Array.isArray(parent)) return arrayPlace(parent, last, pointer);
  if (typeof parent === 'object' && parent !== null) return objectPlace(parent as JsonObject, last, pointer);
  throw missing(pointer);
}

function child(parent: unknown, part: string, pointer: string): unknown {
  if (typeof parent === 'object' && parent !== null && Object.hasOwn(parent, part)) {
    return (parent as JsonObject)[part];
  }
  throw missing(pointer);
}

function objectPlace(parent: JsonObject, name: string, pointer: string): Place {
  const assign = (value: unknown) => {
    Object.defineProperty(parent, name, { value, writable: true, enumerable: true, configurable: true });
  };
  return {
    exists: Object.hasOwn(parent, name),
    get: () => child(parent, name, pointer),
    set: assign,
    add: assign,
    remove: () => {
      child(parent, name, pointer);
      delete parent[name];
    },
  };
}

function arrayPlace(parent: unknown[], part: string, pointer: string): Place {
  const index = part === '-' ? parent.length : Number(part);
  if (!Number.isInteger(index) || index < 0 || index > parent.length) throw missing(pointer);
  const existing = () => {
    if (index >= parent.length) throw missing(pointer);
    return parent[index];
  };
  return {
    exists: index < parent.length,
    get: existing,
    set: (value) => {
      parent[index] = value;
    },
    add: (value) => {
      parent.splice(index, 0, value);
    },
    remove: () => {
      existing();
      parent.splice(index, 1);
    },
  };
}

function missing(pointer: string): CosmosError {
  return new CosmosError('badRequest', `Patch path ${pointer} does not exist in the item.`);
}
