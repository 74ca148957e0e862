import {
  type CompileOptions,
  compileQuery,
  describeQuery,
  parseQuery,
  type QueryDescription,
  type QueryParameter,
  SqlError,
} from '../../../emulators/cosmos/src/sql/index.js';

export type Document = Record<string, unknown>;

export function toParameters(values: Record<string, unknown>): QueryParameter[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

/** Everything a query answers over some documents. */
export function run(
  text: string,
  documents: readonly Document[] = [],
  { parameters = {}, ...options }: CompileOptions & { parameters?: Record<string, unknown> } = {},
): unknown[] {
  return [...compileQuery(parseQuery(text), toParameters(parameters), options).run(documents)];
}

/** The value of an expression, over a document bound to `c`. */
export function evaluate(
  expression: string,
  document: Document = {},
  options: Parameters<typeof run>[2] = {},
): unknown {
  return run(`SELECT VALUE ${expression} FROM c`, [document], options)[0];
}

export function planOf(
  text: string,
  parameters: Record<string, unknown> = {},
  partitionKeyPaths: readonly string[] = ['/pk'],
): QueryDescription {
  return describeQuery(parseQuery(text), toParameters(parameters), partitionKeyPaths);
}

/** The error of something that has to fail. */
export function errorOf(action: () => unknown): SqlError {
  try {
    action();
  } catch (error) {
    if (error instanceof SqlError) return error;
    throw error;
  }
  throw new Error('expected a SqlError, but nothing failed');
}
