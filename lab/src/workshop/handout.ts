import type { LibraryQuery } from '../telemetry/query-file.js';
import type { WorkshopExercise } from './exercises.js';
import { folded, GENERATED, oneLine } from './markdown.js';

/** One page for participants. Nothing on it answers a question. */
export function handout({ scenario, exercise }: WorkshopExercise, queries: readonly LibraryQuery[]): string {
  const { number, minutes, story, questions, hint } = exercise;
  const { name, load, teaching } = scenario;
  const view = queries.find((query) => query.name === hint.view);
  const viewed = view === undefined ? `\`${hint.view}\`` : `**${view.title}** (\`lab query ${hint.view}\`)`;
  return `# Exercise ${number}: ${scenario.title}

${GENERATED}

**${minutes} minutes.** Scenario \`${name}\`, load profile \`${load.profile}\`.

${story}

${teaching.question}

## Run it

    npm run lab -- run ${name} --no-diagnosis

Or start it on the console's page, "without the diagnosis". You see what was measured, and the rest is left to you: the diagnosis is
sealed, in the report too, until your answer is right.

## Questions

${questions.map((question, at) => `${at + 1}. ${oneLine(question)}`).join('\n')}

## Hints

${folded('A hint: where to look', `Look at ${viewed}. ${oneLine(hint.text)}`)}

${teaching.hints.map((text, at) => folded(`Another hint (${at + 1} of ${teaching.hints.length})`, oneLine(text))).join('\n\n')}

## Your answer

    npm run lab -- check ${number}

It asks what holds the run back, then for a number that proves it, then what you would change, and judges all three by what your
own run measured. Nothing may be turned before it says that you are right; then it says what to turn. The
[answers](answers.md#exercise-${number}) are on another page.
`;
}
