import type { Value } from '../values.js';

/** Where non-deterministic functions get their input, so that a run is reproducible. */
export interface Surroundings {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** In [0, 1). */
  random(): number;
  /** `now()` when the query began, for the ...Static functions. */
  readonly startedAt: number;
}

export interface BuiltinFunction {
  readonly minArguments: number;
  /** Infinity: any number. */
  readonly maxArguments: number;
  evaluate(args: readonly Value[], surroundings: Surroundings): Value;
  /** Names an argument value this engine does not support; null: go on. */
  refuse?(args: readonly Value[]): string | null;
}

export type FunctionTable = Readonly<Record<string, BuiltinFunction>>;

export function fn(
  [minArguments, maxArguments]: readonly [number, number],
  evaluate: BuiltinFunction['evaluate'],
): BuiltinFunction {
  return { minArguments, maxArguments, evaluate };
}
