import { unsupported } from '../errors.js';
import type { Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Relation } from './relation.js';

export interface OperatorCall {
  readonly node: SyntaxNode;
  readonly input: Relation;
  readonly scope: Scope;
}

export interface TabularOperator {
  /** As written in a query: `where`, `sort`, ... */
  readonly name: string;
  /** Its row in the reference. */
  readonly syntax: string;
  readonly note?: string;
  /** Parts of the syntax node that `compile` takes into account; any other is refused. */
  readonly parts: readonly string[];
  compile(this: void, call: OperatorCall): Relation;
}

/** Hints that Kusto documents as having no effect on the result; they are accepted and have none here either. */
export const PERFORMANCE_HINTS = [
  'hint.strategy',
  'hint.shufflekey',
  'hint.num_partitions',
  'hint.remote',
  'hint.concurrency',
  'hint.spread',
] as const;

/** Values of `name = value` parameters; refuses names that are not expected and that are no performance hint. */
export function readParameters(node: SyntaxNode, known: readonly string[]): Map<string, SyntaxNode> {
  const found = new Map<string, SyntaxNode>();
  for (const parameter of node.list('Parameters')) {
    const name = parameter.part('Name').text;
    if (known.includes(name)) found.set(name, parameter.part('Expression'));
    else if (!(PERFORMANCE_HINTS as readonly string[]).includes(name)) {
      throw unsupported(parameter, `the parameter ${parameter.text}`);
    }
  }
  return found;
}

/** A parameter's word, checked against what is allowed. */
export function choice<T extends string>(
  value: SyntaxNode | undefined,
  allowed: readonly T[],
  fallback: T,
): T {
  if (value === undefined) return fallback;
  const word = value.text;
  const match = allowed.find((option) => option === word);
  if (match === undefined) throw unsupported(value, `"${word}"; allowed are ${allowed.join(', ')}`);
  return match;
}
