import type { WorkshopExercise } from './exercises.js';

/** A part of a workshop: an exercise by its number, or something else with its own length. */
type Part = { exercise: number } | { title: string; minutes: number; say: string };

export interface Agenda {
  title: string;
  minutes: number;
  parts: readonly Part[];
}

const welcome = (minutes: number): Part => ({
  title: 'Welcome, and the system in one picture',
  minutes,
  say: 'One request, three backend operations, one database. The rule of the day: a bottleneck is found, with a number, before anything may be fixed. Everybody starts the stack now.',
});

/** The same exercises for two lengths. */
export const AGENDAS: readonly Agenda[] = [
  {
    title: 'Two hours',
    minutes: 120,
    parts: [
      welcome(10),
      { exercise: 1 },
      { exercise: 2 },
      { exercise: 3 },
      { exercise: 4 },
      {
        title: 'The four results in one table',
        minutes: 15,
        say: 'Draw the line of the day: limit, change, next limit. Which change was the cheapest per request? Which of them would you have made without measuring? Who takes the mystery home?',
      },
    ],
  },
  {
    title: 'Half a day',
    minutes: 240,
    parts: [
      welcome(15),
      { exercise: 1 },
      { exercise: 2 },
      { exercise: 3 },
      { title: 'Break', minutes: 15, say: 'Leave the stacks running.' },
      { exercise: 4 },
      { exercise: 5 },
      { exercise: 6 },
      { title: 'Break', minutes: 10, say: 'Reset the stacks: "lab reset".' },
      { exercise: 7 },
      {
        title: 'Mystery, in teams',
        minutes: 20,
        say: 'Give every team another seed (the answers page says what is behind each). One load, no explanation, one answer with a number. The team that is right first tells how it looked, not what it found.',
      },
      {
        title: 'What we take home',
        minutes: 10,
        say: 'Everybody names one limit in a system of their own, and the number that would show it.',
      },
    ],
  },
];

export interface TimedPart {
  /** Minutes after the beginning. */
  from: number;
  minutes: number;
  title: string;
  say: string;
}

/** Parts with their times. Throws for an exercise that does not exist. */
export function timetable(agenda: Agenda, exercises: readonly WorkshopExercise[]): TimedPart[] {
  let from = 0;
  return agenda.parts.map((part) => {
    const timed = 'exercise' in part ? partOf(part.exercise, exercises) : part;
    const begins = from;
    from += timed.minutes;
    return { from: begins, ...timed };
  });
}

function partOf(number: number, exercises: readonly WorkshopExercise[]): Omit<TimedPart, 'from'> {
  const found = exercises.find(({ exercise }) => exercise.number === number);
  if (found === undefined) throw new Error(`the agenda has an exercise ${number}, and no scenario has it`);
  const { scenario, exercise } = found;
  return {
    title: `Exercise ${number}: ${scenario.title}`,
    minutes: exercise.minutes,
    say: exercise.trainer.say,
  };
}
