import type { Exercise, Scenario } from '../scenarios/index.js';
import { WorkshopError } from './errors.js';

/** A scenario that has an exercise. */
export interface WorkshopExercise {
  scenario: Scenario;
  exercise: Exercise;
}

/** All exercises by their number. */
export function exercisesOf(scenarios: readonly Scenario[]): WorkshopExercise[] {
  const exercises = scenarios.flatMap((scenario) => {
    const { exercise } = scenario.teaching;
    return exercise === undefined ? [] : [{ scenario, exercise }];
  });
  return exercises.sort((a, b) => a.exercise.number - b.exercise.number);
}

/** An exercise by its number or the name of its scenario. Throws EXERCISE_UNKNOWN. */
export function findExercise(scenarios: readonly Scenario[], reference: string): WorkshopExercise {
  const known = exercisesOf(scenarios);
  const found = known.find(
    ({ scenario, exercise }) => String(exercise.number) === reference || scenario.name === reference,
  );
  if (found !== undefined) return found;
  const listed = known.map(({ scenario, exercise }) => `${exercise.number} (${scenario.name})`).join(', ');
  throw new WorkshopError('EXERCISE_UNKNOWN', `no exercise "${reference}"; there are ${listed}`);
}
