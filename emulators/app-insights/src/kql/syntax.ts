import { derivedName, kindName, list, type RawNode, type RawType } from './language.js';
import type { Column, KqlType } from './types.js';

const REFERENCES = {
  ColumnSymbol: 'column',
  TableSymbol: 'table',
  VariableSymbol: 'variable',
  ParameterSymbol: 'parameter',
  FunctionSymbol: 'function',
  OperatorSymbol: 'operator',
  TupleSymbol: 'tuple',
  GroupSymbol: 'group',
} as const;

export type ReferenceKind = (typeof REFERENCES)[keyof typeof REFERENCES] | 'other';

/** A node or token of the analysed syntax tree: the evaluator's only view of the language service. */
export class SyntaxNode {
  readonly kind: string;
  /** Offset in characters, without leading blanks and comments. */
  readonly start: number;
  readonly length: number;
  readonly isToken: boolean;
  readonly #raw: RawNode;
  readonly #document: string;

  constructor(raw: RawNode, document: string) {
    this.#raw = raw;
    this.#document = document;
    this.kind = kindName(raw);
    this.start = raw.TextStart;
    this.length = raw.Width;
    this.isToken = raw.IsToken;
  }

  /** The whole query text. */
  get document(): string {
    return this.#document;
  }

  get text(): string {
    return this.#document.slice(this.start, this.start + this.length);
  }

  /** Text of a token without blanks and quotes: the word itself. */
  get word(): string {
    return this.#raw.Text ?? this.text;
  }

  /** Names of the parts that are present and mean something: tokens and empty lists are left out. */
  get partNames(): string[] {
    const names: string[] = [];
    for (let i = 0; i < this.#raw.ChildCount; i += 1) {
      const child = this.#raw.GetChild(i);
      if (child === null || child === undefined || child.IsToken || child.IsMissing) continue;
      if (kindName(child) === 'List' && child.ChildCount === 0) continue;
      names.push(this.#raw.GetName?.(i) ?? '');
    }
    return names;
  }

  part(name: string): SyntaxNode {
    const found = this.optional(name);
    if (found === undefined) throw new Error(`${this.kind} has no part ${name}`);
    return found;
  }

  optional(name: string): SyntaxNode | undefined {
    const raw = this.#raw;
    for (let i = 0; i < raw.ChildCount; i += 1) {
      if (raw.GetName?.(i) !== name) continue;
      const child = raw.GetChild(i);
      return child === null || child === undefined || child.IsMissing ? undefined : this.#wrap(child);
    }
    return undefined;
  }

  /** Elements of the list part `name`, without separators; [] when it is absent. */
  list(name: string): SyntaxNode[] {
    return this.optional(name)?.elements() ?? [];
  }

  /** Elements of this list node, without separators. */
  elements(): SyntaxNode[] {
    const found: SyntaxNode[] = [];
    for (let i = 0; i < this.#raw.ChildCount; i += 1) {
      const child = this.#raw.GetChild(i);
      if (child === null || child === undefined) continue;
      const element = kindName(child) === 'SeparatedElement' ? child.GetChild(0) : child;
      if (element !== null) found.push(this.#wrap(element));
    }
    return found;
  }

  /** Scalar type by the service's analysis, or undefined for tables and for nodes that have no type. */
  get scalarType(): string | undefined {
    const type = this.#raw.ResultType;
    return type?.IsScalar === true ? type.Name : undefined;
  }

  /** Columns by the service's analysis, or undefined for scalars. */
  get columns(): Column[] | undefined {
    return columnsOf(this.#raw.ResultType);
  }

  get reference(): { kind: ReferenceKind; name: string } | undefined {
    const symbol = this.#raw.ReferencedSymbol;
    if (symbol === null || symbol === undefined) return undefined;
    const className = symbol.constructor.$$name?.split('.').pop() ?? '';
    return { kind: REFERENCES[className as keyof typeof REFERENCES] ?? 'other', name: symbol.Name };
  }

  /** Value of a literal as the service read it: string, number, boolean, null, or an object of its runtime. */
  get literal(): unknown {
    const raw = this.#raw;
    return raw.IsToken ? raw.Value : raw.LiteralValue;
  }

  /** Column name that Kusto derives from this expression; '' when it derives none. */
  get derivedName(): string {
    return derivedName(this.#raw);
  }

  #wrap(raw: RawNode): SyntaxNode {
    return new SyntaxNode(raw, this.#document);
  }
}

export function columnsOf(type: RawType | null | undefined): Column[] | undefined {
  if (type === null || type === undefined || !type.IsTabular || type.Columns === undefined) return undefined;
  return list(type.Columns).map((c) => ({ name: c.Name, type: c.Type.Name as KqlType }));
}
