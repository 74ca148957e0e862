import { markdownTable } from '../report/layout.js';
import { AGENDAS, type Agenda, timetable } from './agenda.js';
import type { WorkshopExercise } from './exercises.js';
import { GENERATED, oneLine } from './markdown.js';

/** For whoever holds the workshop: timings, what to say, what goes wrong, how to begin again. */
export function trainerGuide(exercises: readonly WorkshopExercise[]): string {
  return `# Trainer's guide

${GENERATED}

Participants need no knowledge of Azure or Cosmos DB, and some of reading charts. They work in pairs, one machine each pair.

## Before the room is full

- Node >= 20.19 on every machine; \`npm ci\` needs the network once, the workshop does not need it at all.
- \`npm run lab -- doctor\` says whether a machine is fit. Four cores are comfortable. With two, leave telemetry off: runs judge
  themselves, and one on a machine that is too busy is reported as that.
- \`npm run lab -- up --telemetry\` starts the stack with queries and waterfalls, \`npm run lab -- up\` without. The first start
  calibrates the machine; start it before the participants come.
- Run exercise 1 yourself once on the slowest machine. A load of 60 s takes about 75 s in all.
- Print the handouts, or hand out their links. The [answers](answers.md) are a page of their own.

${AGENDAS.map((agenda) => agendaSection(agenda, exercises)).join('\n\n')}

## How answers are judged

\`lab check\` compares a participant's answer with the run: the bottleneck with what the rules found in its measurements (and, if it
was another one, with what those rules saw), the number with the one that the run measured, within what reading a chart allows, and the
change with what helps against that bottleneck. No number is written down in an exercise, so that a run on another machine, or of another
length, is judged as fairly. It never gives the answer away; \`--give-up\` does. A run that is not valid is not judged: repeat it.

In exercises 1 to 4 nothing may be turned before \`lab check\` says that the answer is right. Hold on to that: the discussion before
the fix is the workshop.

## Between exercises, and when something is stuck

| what | how | how long |
| --- | --- | --- |
| budgets, knobs and services as in the beginning | \`npm run lab -- reset\` | under 5 s |
| a service was killed | the same: it is started again | under 5 s |
| the database stand-in was killed, or nothing helps | \`npm run lab -- down\`, then \`up\` | under 30 s |
| whose run is this? | runs lie in \`runs/\`, named by time and scenario; \`lab check N --run ID\` takes any of them | |

Every run sets its own knobs and budgets, so a reset is never needed for a correct figure; it is for hands-on play with
\`lab knob\` in between. Mysteries that wait for an answer stay; \`lab check mystery --give-up\` reveals the newest one. While one
waits, nobody is told how it was set, by \`lab status\`, \`lab knob\` or the console, and no knob of it can be turned; a run of
\`--no-diagnosis\` keeps its diagnosis sealed, in its files and on every page, until \`lab check\` has had the right answer or
\`--give-up\`. The telemetry stays open: looking there is the work.

## Exercise by exercise

${exercises.map(exerciseSection).join('\n\n')}
`;
}

function agendaSection(agenda: Agenda, exercises: readonly WorkshopExercise[]): string {
  const rows = timetable(agenda, exercises).map(({ from, minutes, title }) => [
    clock(from),
    String(minutes),
    title,
  ]);
  const said = timetable(agenda, exercises).filter(({ title }) => !title.startsWith('Exercise'));
  return `## ${agenda.title}

${markdownTable(['at', 'minutes', 'what'], rows, [1])}

${said.map(({ title, say }) => `- **${title}**: ${say}`).join('\n')}`;
}

function exerciseSection({ scenario, exercise }: WorkshopExercise): string {
  const { number, minutes, trainer, hint } = exercise;
  return `### ${number}. ${scenario.title} (${minutes} minutes)

[Handout](exercise-${number}.md), scenario \`${scenario.name}\`, [answer](answers.md#exercise-${number}). First hint: the query
\`${hint.view}\`.

${oneLine(trainer.say)}

What goes wrong:

${trainer.goesWrong.map((text) => `- ${oneLine(text)}`).join('\n')}`;
}

/** \`95\` minutes as \`1:35\`. */
function clock(minutes: number): string {
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`;
}
