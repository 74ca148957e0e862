import type { Expression, Query, Source } from './ast.js';
import type { Environment, Evaluator, Predicate, RowSource } from './environment.js';
import { compileExpression, compilePredicate, readSlot } from './expressions.js';
import type { Scope } from './scope.js';
import { compileSelect } from './select.js';
import type { Value } from './values.js';

/** Binds one input: every value it yields is one more combination of the inputs before it. */
interface Binding {
  readonly slot: number;
  values(environment: Environment): Iterable<Value>;
}

export interface CompiledSources {
  /** Filtered combinations of all inputs. */
  readonly rows: RowSource;
  /** What `SELECT *` projects. */
  readonly star: Evaluator;
}

/** @param isRoot the query itself, whose first input is the container. */
export function compileSources(query: Query, scope: Scope, isRoot: boolean): CompiledSources {
  const bindings: Binding[] = [];
  let documentSlot: number | null = null;
  query.sources.forEach((source, index) => {
    if (index === 0 && isRoot) {
      const root = bindContainer(source, scope);
      documentSlot = root.documentSlot;
      if (root.binding) bindings.push(root.binding);
    } else {
      bindings.push(bindSource(source, scope));
    }
  });
  const star = readSlot(
    documentSlot !== null && bindings.length === 0 ? documentSlot : (bindings[0]?.slot ?? -1),
  );
  const keeps = query.where ? compilePredicate(query.where, scope) : null;
  const combined = filter(combine(bindings), bindings.length > 0 ? keeps : null);
  if (documentSlot === null) return { rows: bindings.length > 0 ? combined : filter(combined, keeps), star };
  const rows =
    bindings.length > 0 ? eachDocument(documentSlot, combined) : filterDocuments(documentSlot, keeps);
  return { rows, star };
}

function filter(rows: RowSource, keeps: Predicate | null): RowSource {
  if (keeps === null) return rows;
  return function* filtered(environment) {
    for (const row of rows(environment)) if (keeps(environment)) yield row;
  };
}

/** The plain `FROM c WHERE ...`: one loop, no row of its own per document. */
function filterDocuments(slot: number, keeps: Predicate | null): RowSource {
  return function* documents(environment) {
    const { slots } = environment;
    for (const document of environment.documents) {
      slots[slot] = document;
      if (keeps === null || keeps(environment)) yield undefined;
    }
  };
}

function eachDocument(slot: number, rows: RowSource): RowSource {
  return function* documents(environment) {
    for (const document of environment.documents) {
      environment.slots[slot] = document;
      yield* rows(environment);
    }
  };
}

/** `FROM c` binds the documents themselves; `FROM c.a` and `FROM x IN c.a` something below them. */
function bindContainer(source: Source, scope: Scope): { documentSlot: number; binding: Binding | null } {
  const { collection, alias } = source;
  if (collection.kind === 'identifier') {
    return { documentSlot: scope.bind(alias ?? collection.name), binding: null };
  }
  const documentSlot = scope.allocate();
  let container: Expression = collection;
  while (container.kind === 'property' || container.kind === 'index') container = container.object;
  const name = container.kind === 'identifier' ? container.name : '';
  const evaluate = compileExpression(collection, scope.withOnly(name, documentSlot));
  return { documentSlot, binding: bindValues(source, scope, evaluate) };
}

function bindSource(source: Source, scope: Scope): Binding {
  const { collection, iterates } = source;
  if (collection.kind !== 'subquery') return bindValues(source, scope, compileExpression(collection, scope));
  const { rows } = compileSelect(collection.query, scope.inner(collection.query));
  const slot = bindAlias(source, scope);
  return { slot, values: iterates ? (environment) => flatten(rows(environment)) : rows };
}

function bindValues(source: Source, scope: Scope, evaluate: Evaluator): Binding {
  const slot = bindAlias(source, scope);
  if (source.iterates) {
    return {
      slot,
      values: (environment) => {
        const value = evaluate(environment);
        return Array.isArray(value) ? value : [];
      },
    };
  }
  return {
    slot,
    values: (environment) => {
      const value = evaluate(environment);
      return value === undefined ? [] : [value];
    },
  };
}

function bindAlias({ alias }: Source, scope: Scope): number {
  return alias === null ? scope.allocate() : scope.bind(alias);
}

function* flatten(values: Iterable<Value>): Iterable<Value> {
  for (const value of values) if (Array.isArray(value)) yield* value;
}

/** The cross product, in the order of the inputs. */
function combine(bindings: readonly Binding[]): RowSource {
  const [first, ...rest] = bindings;
  if (first === undefined) return () => ONE_ROW;
  const inner = rest.length > 0 ? combine(rest) : null;
  return function* combined(environment) {
    for (const value of first.values(environment)) {
      environment.slots[first.slot] = value;
      if (inner) yield* inner(environment);
      else yield undefined;
    }
  };
}

const ONE_ROW: readonly undefined[] = [undefined];
