import type { Scenario } from '../scenarios/index.js';
import { loadQueries } from '../telemetry/query-library.js';
import { AGENDAS } from './agenda.js';
import { answersPage } from './answers-page.js';
import { exercisesOf, type WorkshopExercise } from './exercises.js';
import { handout } from './handout.js';
import { GENERATED } from './markdown.js';
import { trainerGuide } from './trainer-guide.js';

/** Every page of docs/workshop by its file name, from the scenarios' teaching text. */
export function workshopDocuments(scenarios: readonly Scenario[]): Record<string, string> {
  const exercises = exercisesOf(scenarios);
  const queries = loadQueries();
  return {
    'README.md': frontPage(exercises),
    'trainer-guide.md': trainerGuide(exercises),
    'answers.md': answersPage(exercises, scenarios),
    ...Object.fromEntries(
      exercises.map((one) => [`exercise-${one.exercise.number}.md`, handout(one, queries)]),
    ),
  };
}

function frontPage(exercises: readonly WorkshopExercise[]): string {
  const lengths = AGENDAS.map(({ title }) => title.toLowerCase()).join(', or ');
  return `# Workshop

${GENERATED}

You are given a system that is slow, and instruments. Find what holds it back, prove it with a number, and only then turn something.
For ${lengths}; the [trainer's guide](trainer-guide.md) has the timings.

    npm ci
    npm run lab -- doctor                  # is this machine fit?
    npm run lab -- up --telemetry          # with two cores: without --telemetry

| | exercise | minutes | |
| --: | --- | --: | --- |
${exercises.map(({ scenario, exercise }) => `| ${exercise.number} | [${scenario.title}](exercise-${exercise.number}.md) | ${exercise.minutes} | \`lab run ${scenario.name} --no-diagnosis\`, \`lab check ${exercise.number}\` |`).join('\n')}

Then try yourself: \`npm run lab -- mystery\` runs one of them without saying which, and asks you at the end. \`npm run lab -- reset\`
begins again. Answers are on [another page](answers.md).
`;
}
