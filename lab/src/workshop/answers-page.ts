import { MEASURE_TABLE } from '../analysis/measure-table.js';
import { describeRange } from '../results/index.js';
import { boundsOf, type Expectation } from '../scenarios/expectation.js';
import { FIXES, type Scenario } from '../scenarios/index.js';
import type { WorkshopExercise } from './exercises.js';
import { folded, GENERATED, oneLine } from './markdown.js';
import { chooseMystery } from './mystery.js';

/** Seeds of mysteries that a trainer can hand out. */
const SEEDS = Array.from({ length: 12 }, (_, at) => at + 1);

/** What you see and how to find it, one fold for each exercise. */
export function answersPage(exercises: readonly WorkshopExercise[], scenarios: readonly Scenario[]): string {
  return `# Answers

${GENERATED}

Each answer is folded. \`lab check\` does not know any of these numbers: it judges by what your own run measured.

${exercises.map(answerOf).join('\n\n')}

## Mysteries

${folded('What is behind each seed', SEEDS.map((seed) => `- \`lab mystery --seed ${seed}\`: \`${chooseMystery(scenarios, seed).name}\``).join('\n'))}
`;
}

function answerOf({ scenario, exercise }: WorkshopExercise): string {
  const { teaching, expected } = scenario;
  const numbers = exercise.evidence.map(
    ({ ask, measure, of }) => `- ${oneLine(ask)} (\`${measure}\`${rangeOf(expected?.measures, measure, of)})`,
  );
  const wrong = Object.entries(exercise.replies).map(
    ([fix, reply]) => `- \`${fix}\`: ${oneLine(reply ?? '')}`,
  );
  const text = `**Bottleneck**: \`${expected?.bottleneck ?? 'see the run'}\`

${teaching.answer.trim()}

**The numbers that "lab check" asks for**

${numbers.join('\n')}

**Fixes that are accepted**: ${exercise.fixes.map((fix) => `\`${fix}\` (${FIXES[fix].text})`).join(', ')}
${wrong.length === 0 ? '' : `\n**Why not**\n\n${wrong.join('\n')}\n`}
**Afterwards**: ${oneLine(exercise.afterwards)}`;
  return `## Exercise ${exercise.number}\n\n${folded(`${scenario.title}: what you see, and how to find it`, text)}`;
}

/** Where the scenario expects a range, the run is in it. */
function rangeOf(ranges: readonly Expectation[] | undefined, measure: string, of: string): string {
  const range = of === 'whole-load' ? ranges?.find((one) => one.measure === measure) : undefined;
  if (range === undefined) return '';
  return `; expected ${describeRange({ ...boundsOf(range), unit: MEASURE_TABLE[range.measure].unit })}`;
}
