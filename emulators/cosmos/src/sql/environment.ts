import type { Surroundings } from './functions/definition.js';
import type { Value } from './values.js';

/** What a compiled expression reads: the values bound to names at this moment, and the parameters. */
export interface Environment {
  readonly slots: Value[];
  readonly parameters: readonly Value[];
  readonly surroundings: Surroundings;
  /** What the container holds: the first input of the query itself. */
  readonly documents: Iterable<Value>;
}

export type Evaluator = (environment: Environment) => Value;
export type Predicate = (environment: Environment) => boolean;
/** Yields once per row, after binding the row's names in the environment. */
export type RowSource = (environment: Environment) => Iterable<undefined>;
