import type { Span } from './errors.js';

type Scalar = null | boolean | number | string | undefined;

export type BinaryOperator =
  | '??'
  | '='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '||'
  | '&'
  | '|'
  | '^'
  | '<<'
  | '>>'
  | '>>>';

export type UnaryOperator = 'not' | '-' | '+' | '~';

interface Node {
  readonly span: Span;
}

interface Literal extends Node {
  readonly kind: 'literal';
  readonly value: Scalar;
}
interface ParameterReference extends Node {
  readonly kind: 'parameter';
  /** With the leading `@`. */
  readonly name: string;
}
/** A name bound by FROM or JOIN. */
interface Identifier extends Node {
  readonly kind: 'identifier';
  readonly name: string;
}
/** `object.name`, or `object["name"]` with a literal name. */
interface PropertyAccess extends Node {
  readonly kind: 'property';
  readonly object: Expression;
  readonly name: string;
}
/** `object[index]` with anything else than a literal string. */
interface IndexAccess extends Node {
  readonly kind: 'index';
  readonly object: Expression;
  readonly index: Expression;
}
interface Unary extends Node {
  readonly kind: 'unary';
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}
interface Binary extends Node {
  readonly kind: 'binary';
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}
/** AND and OR chains are flat, so that long generated filters do not nest. */
interface Logical extends Node {
  readonly kind: 'logical';
  readonly operator: 'and' | 'or';
  readonly operands: readonly Expression[];
}
/** `condition ? whenTrue : whenFalse` */
interface Conditional extends Node {
  readonly kind: 'conditional';
  readonly condition: Expression;
  readonly whenTrue: Expression;
  readonly whenFalse: Expression;
}
export interface In extends Node {
  readonly kind: 'in';
  readonly operand: Expression;
  readonly items: readonly Expression[];
  readonly negated: boolean;
}
interface Between extends Node {
  readonly kind: 'between';
  readonly operand: Expression;
  readonly low: Expression;
  readonly high: Expression;
  readonly negated: boolean;
}
export interface Like extends Node {
  readonly kind: 'like';
  readonly operand: Expression;
  readonly pattern: Expression;
  /** A single character. */
  readonly escape: string | null;
  readonly negated: boolean;
}
export interface Call extends Node {
  readonly kind: 'call';
  /** Upper case. */
  readonly name: string;
  readonly nameSpan: Span;
  readonly args: readonly Expression[];
}
interface ObjectLiteral extends Node {
  readonly kind: 'object';
  readonly properties: readonly { readonly name: string; readonly value: Expression }[];
}
interface ArrayLiteral extends Node {
  readonly kind: 'array';
  readonly items: readonly Expression[];
}
/** `(SELECT ...)`, `EXISTS(SELECT ...)` or `ARRAY(SELECT ...)`. */
export interface Subquery extends Node {
  readonly kind: 'subquery';
  readonly form: 'scalar' | 'exists' | 'array';
  readonly query: Query;
}

export type Expression =
  | Literal
  | ParameterReference
  | Identifier
  | PropertyAccess
  | IndexAccess
  | Unary
  | Binary
  | Logical
  | Conditional
  | In
  | Between
  | Like
  | Call
  | ObjectLiteral
  | ArrayLiteral
  | Subquery;

export interface SelectItem extends Node {
  readonly expression: Expression;
  /** The property it becomes: the alias, else the last property name, else `$1`, `$2`, ... */
  readonly name: string;
}

export type Projection =
  | (Node & { readonly kind: 'star' })
  | (Node & { readonly kind: 'value'; readonly expression: Expression })
  | (Node & { readonly kind: 'list'; readonly items: readonly SelectItem[] });

/** One FROM or JOIN input. */
export interface Source extends Node {
  /** A path below the container or below an alias already bound, or a subquery's rows. */
  readonly collection: Expression;
  /** Null for a joined subquery without a name: it only multiplies rows. */
  readonly alias: string | null;
  /** `alias IN collection`: one row per array element. */
  readonly iterates: boolean;
}

export interface OrderItem extends Node {
  readonly expression: Expression;
  readonly descending: boolean;
}

/** The root of a parsed query, and of every subquery. */
export interface Query extends Node {
  readonly text: string;
  readonly distinct: boolean;
  readonly top: Expression | null;
  readonly projection: Projection;
  /** The container or outer alias first, then the JOINs. Empty without FROM. */
  readonly sources: readonly Source[];
  readonly where: Expression | null;
  readonly groupBy: readonly Expression[];
  readonly orderBy: readonly OrderItem[];
  readonly offset: Expression | null;
  readonly limit: Expression | null;
}
