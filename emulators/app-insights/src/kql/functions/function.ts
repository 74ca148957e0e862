import { unsupported } from '../errors.js';
import { derived, type Expr, isNumeric, missing, typeOf } from '../expressions/expression.js';
import type { Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { KqlType } from '../types.js';
import { dynamicText } from '../values/text.js';

/** One call of a built-in function. */
export interface Call {
  readonly name: string;
  readonly node: SyntaxNode;
  readonly args: readonly Expr[];
  readonly argNodes: readonly SyntaxNode[];
  readonly scope: Scope;
}

export interface ScalarFunction {
  /** Its row in the reference: `substring(text: string, start: long [, length: long]): string`. */
  readonly signature: string;
  /** What differs from Kusto or is worth knowing. */
  readonly note?: string;
  compile(this: void, call: Call): Expr;
}

export type FunctionTable = Readonly<Record<string, ScalarFunction>>;

/** What a parameter takes; `text` also takes dynamic values by their text, as Kusto does. A `?` makes it optional. */
export type Parameter = 'text' | 'number' | 'integer' | 'bool' | 'datetime' | 'timespan' | 'dynamic';
type OptionalParameter = Parameter | `${Parameter}?`;

interface Strict {
  readonly signature: string;
  readonly note?: string;
  readonly params: readonly OptionalParameter[];
  /** Result type, or the call's type by analysis when it follows the arguments. */
  readonly result?: KqlType;
  /** Gets values that are never null; optional ones that are not given are undefined. */
  // biome-ignore lint/suspicious/noExplicitAny: the parameters' kinds are checked against `params` before
  readonly apply: (...values: any[]) => unknown;
}

/** A function that gives null (strings: '') when an argument is null. */
export function strict(definition: Strict): ScalarFunction {
  const { signature, note, params, apply } = definition;
  return {
    signature,
    ...(note === undefined ? {} : { note }),
    compile: (call) => {
      const args = checkedArguments(call, params);
      const type = definition.result ?? typeOf(call.node);
      return derived(type, args, nullPropagating(args, apply, missing(type)));
    },
  };
}

export function checkedArguments(call: Call, params: readonly OptionalParameter[]): Expr[] {
  const required = params.filter((p) => !p.endsWith('?')).length;
  if (call.args.length < required || call.args.length > params.length) {
    throw unsupported(call.node, `${call.name}() with ${call.args.length} arguments`);
  }
  return call.args.map((arg, i) => {
    const parameter = (params[i] as string).replace('?', '') as Parameter;
    return accepted(parameter, arg, call, i);
  });
}

export function accepted(parameter: Parameter, arg: Expr, call: Call, index: number): Expr {
  const { type } = arg;
  if (parameter === 'text' && type === 'dynamic') {
    return derived('string', [arg], (row) => dynamicText(arg.read(row)));
  }
  const fits =
    parameter === 'text'
      ? type === 'string'
      : parameter === 'number'
        ? isNumeric(type)
        : parameter === 'integer'
          ? type === 'int' || type === 'long'
          : type === parameter;
  if (fits) return arg;
  const node = call.argNodes[index] ?? call.node;
  throw unsupported(node, `a ${type} as argument ${index + 1} of ${call.name}(); convert it first`);
}

function nullPropagating(args: readonly Expr[], apply: Strict['apply'], none: unknown): Expr['read'] {
  const [first, second] = args.map((a) => a.read);
  if (args.length === 0 || first === undefined) return () => apply();
  if (args.length === 1) {
    return (row) => {
      const a = first(row);
      return a === null ? none : apply(a);
    };
  }
  if (args.length === 2 && second !== undefined) {
    return (row) => {
      const a = first(row);
      const b = second(row);
      return a === null || b === null ? none : apply(a, b);
    };
  }
  const reads = args.map((a) => a.read);
  return (row) => {
    const values = reads.map((read) => read(row));
    return values.includes(null) ? none : apply(...values);
  };
}
