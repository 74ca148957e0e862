import type { Expression, Query } from './ast.js';
import type { Span } from './errors.js';
import { SqlError } from './errors.js';
import { printExpression } from './printer.js';

/** Numbers the parameters of a query in the order of their first use. */
export class ParameterTable {
  readonly #indexes = new Map<string, number>();
  readonly #uses: { readonly name: string; readonly span: Span }[] = [];

  indexOf(name: string, span: Span): number {
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    const index = this.#uses.length;
    this.#indexes.set(name, index);
    this.#uses.push({ name, span });
    return index;
  }

  get uses(): readonly { readonly name: string; readonly span: Span }[] {
    return this.#uses;
  }
}

/** Where the names of a query level live; levels of subqueries share one row of slots. */
export class Scope {
  readonly query: Query;
  readonly parameters: ParameterTable;
  readonly #counter: { slots: number };
  readonly #names: Map<string, number>;
  /** Expressions whose value a group holds ready: grouping keys and aggregates, by canonical text. */
  readonly #held: ReadonlyMap<string, number>;

  private constructor(init: {
    query: Query;
    parameters: ParameterTable;
    counter: { slots: number };
    names: Map<string, number>;
    held: ReadonlyMap<string, number>;
  }) {
    this.query = init.query;
    this.parameters = init.parameters;
    this.#counter = init.counter;
    this.#names = init.names;
    this.#held = init.held;
  }

  static root(query: Query): Scope {
    const parameters = new ParameterTable();
    return new Scope({ query, parameters, counter: { slots: 0 }, names: new Map(), held: new Map() });
  }

  /** The scope of a subquery: it sees the names around it. */
  inner(query: Query): Scope {
    return this.#derive({ query, names: new Map(this.#names) });
  }

  /** The scope of a grouped projection. */
  withHeld(held: ReadonlyMap<string, number>): Scope {
    return this.#derive({ held });
  }

  /** For the path of a FROM clause: only the container has a name there. */
  withOnly(name: string, slot: number): Scope {
    return this.#derive({ names: new Map([[name, slot]]) });
  }

  allocate(): number {
    return this.#counter.slots++;
  }

  bind(name: string): number {
    const slot = this.allocate();
    this.#names.set(name, slot);
    return slot;
  }

  slotOf(name: string, span: Span): number {
    const slot = this.#names.get(name);
    if (slot === undefined) {
      const message = `Identifier '${name}' could not be resolved`;
      throw new SqlError({ code: 'INVALID', message, text: this.query.text, span });
    }
    return slot;
  }

  heldSlotOf(expression: Expression): number | undefined {
    return this.#held.size === 0 ? undefined : this.#held.get(printExpression(expression));
  }

  get slotCount(): number {
    return this.#counter.slots;
  }

  #derive(changes: {
    query?: Query;
    names?: Map<string, number>;
    held?: ReadonlyMap<string, number>;
  }): Scope {
    return new Scope({
      query: changes.query ?? this.query,
      parameters: this.parameters,
      counter: this.#counter,
      names: changes.names ?? this.#names,
      held: changes.held ?? (changes.query ? new Map() : this.#held),
    });
  }
}
