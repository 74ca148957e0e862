import type { Budget } from './budget.js';
import { limitExceeded, unsupported } from './errors.js';
import type { Expr } from './expressions/expression.js';
import type { Relation } from './operators/relation.js';
import type { SyntaxNode } from './syntax.js';
import type { TableSource, TimeRange } from './types.js';

/** Syntax nodes compiled per query: names that stand for whole expressions can multiply a short text. */
const MAX_COMPILED_NODES = 200_000;

/** What one execution shares: its inputs and its limits. */
export interface Session {
  /** What `now()` gives, an engine datetime. */
  readonly now: number;
  readonly sources: Readonly<Record<string, TableSource>>;
  readonly timespan: TimeRange;
  readonly budget: Budget;
  /** False while a query is only checked: no table is read. */
  readonly running: boolean;
  compiledNodes: number;
}

/** A name's meaning: a value, a tabular expression, or a function. */
export type Binding =
  | { readonly kind: 'scalar'; readonly value: () => Expr }
  | { readonly kind: 'table'; readonly relation: () => Relation }
  | { readonly kind: 'function'; readonly declaration: SyntaxNode; readonly scope: Scope };

/** Where names are looked up: the row's columns, then `let` names and parameters from the inside out. */
export class Scope {
  readonly session: Session;
  readonly #bindings = new Map<string, Binding>();
  readonly #outer: Scope | undefined;
  readonly #columns: ReadonlyMap<string, Expr> | undefined;
  /** Inside `summarize`: compiles a call of an aggregate function; undefined for other functions. */
  readonly aggregate: ((call: SyntaxNode) => Expr | undefined) | undefined;

  private constructor(
    session: Session,
    outer?: Scope,
    inner: { columns?: ReadonlyMap<string, Expr>; aggregate?: (call: SyntaxNode) => Expr | undefined } = {},
  ) {
    this.session = session;
    this.#outer = outer;
    this.#columns = inner.columns;
    this.aggregate = inner.aggregate;
  }

  static root(session: Session): Scope {
    return new Scope(session);
  }

  nested(): Scope {
    return new Scope(this.session, this);
  }

  /** The same names, seen from inside a table's row. */
  withRow(relation: Relation): Scope {
    const columns = new Map(relation.columns.map((c, i) => [c.name, relation.reads[i] as Expr]));
    return new Scope(this.session, this, { columns });
  }

  /** For expressions over aggregates: no column is visible outside of the aggregates' arguments. */
  withAggregates(aggregate: (call: SyntaxNode) => Expr | undefined): Scope {
    return new Scope(this.session, this, { columns: new Map(), aggregate });
  }

  declare(name: string, binding: Binding): void {
    this.#bindings.set(name, binding);
  }

  binding(name: string): Binding | undefined {
    return this.#bindings.get(name) ?? this.#outer?.binding(name);
  }

  /** Only the innermost row is visible. */
  column(name: string): Expr | undefined {
    return this.#columns === undefined ? this.#outer?.column(name) : this.#columns.get(name);
  }

  /** Whether names are looked up inside some table's row. */
  get insideRow(): boolean {
    return this.#columns !== undefined || this.#outer?.insideRow === true;
  }

  countNode(node: SyntaxNode): void {
    this.session.compiledNodes += 1;
    if (this.session.compiledNodes % 1024 === 0) this.session.budget.checkTime();
    if (this.session.compiledNodes <= MAX_COMPILED_NODES) return;
    throw limitExceeded(node, `The query expands to more than ${MAX_COMPILED_NODES} syntax nodes`);
  }
}

/** Refuses a node that has parts the evaluator would otherwise overlook. */
export function expectParts(node: SyntaxNode, known: readonly string[]): void {
  for (const name of node.partNames) {
    if (known.includes(name)) continue;
    const part = node.optional(name) ?? node;
    throw unsupported(part, `"${part.text}" in ${describe(node)}`);
  }
}

/** `FilterOperator` → `filter`; the text's own first word is what users know, so it is preferred. */
function describe(node: SyntaxNode): string {
  return /^[\w-]+/.exec(node.text)?.[0] ?? node.kind;
}
