import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadScenarios } from '../../../lab/src/scenarios/index.js';
import { loadQueries } from '../../../lab/src/telemetry/query-library.js';
import { AGENDAS, timetable } from '../../../lab/src/workshop/agenda.js';
import { workshopDocuments } from '../../../lab/src/workshop/documents.js';
import { exercisesOf } from '../../../lab/src/workshop/index.js';

const FOLDER = fileURLToPath(new URL('../../../docs/workshop', import.meta.url));
const scenarios = loadScenarios();
const exercises = exercisesOf(scenarios);
const documents = workshopDocuments(scenarios);

describe('docs/workshop', () => {
  it.each(Object.entries(documents))(
    '%s is what the scenarios give (lab workshop --write docs/workshop)',
    (name, text) => {
      expect(readFileSync(path.join(FOLDER, name), 'utf8')).toBe(text);
    },
  );

  it('has no other page', () => {
    expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(documents).sort());
  });

  it('links only to pages that exist', () => {
    for (const text of Object.values(documents)) {
      for (const [, target = ''] of text.matchAll(/\]\(([^)#]+)[^)]*\)/g))
        expect(documents).toHaveProperty([target]);
    }
  });
});

describe.each(exercises.map((one) => [one.scenario.name, one] as const))(
  'the handout on %s',
  (_name, one) => {
    const { exercise, scenario } = one;
    const text = documents[`exercise-${exercise.number}.md`] as string;

    it('has no answer on it', () => {
      const flat = text.replaceAll(/\s+/g, ' ');
      for (const answer of [scenario.teaching.answer, exercise.afterwards, exercise.trainer.say]) {
        expect(flat).not.toContain(answer.replaceAll(/\s+/g, ' ').slice(0, 60));
      }
      for (const { ask } of exercise.evidence) expect(flat).not.toContain(ask);
      const name = new RegExp(scenario.expected?.bottleneck.replaceAll('-', '.') ?? 'no bottleneck', 'i');
      expect([exercise.story, ...exercise.questions].join(' ')).not.toMatch(name);
    });

    it('names a view of the query library in its first hint', () => {
      expect(loadQueries().map(({ name }) => name)).toContain(exercise.hint.view);
      expect(text).toContain(`lab query ${exercise.hint.view}`);
    });

    it('is answered on the page of answers', () => {
      const flat = documents['answers.md']?.replaceAll(/\s+/g, ' ');
      expect(flat).toContain(scenario.teaching.answer.replaceAll(/\s+/g, ' ').trim());
      expect(flat).toContain(`\`${scenario.expected?.bottleneck}\``);
    });
  },
);

describe('the agenda', () => {
  it.each(AGENDAS.map((agenda) => [agenda.title, agenda] as const))(
    'for %s fills its time',
    (_title, agenda) => {
      const parts = timetable(agenda, exercises);
      expect(parts.reduce((sum, { minutes }) => sum + minutes, 0)).toBe(agenda.minutes);
      for (const [at, part] of parts.entries()) {
        const before = parts[at - 1];
        expect(part.from).toBe(before === undefined ? 0 : before.from + before.minutes);
      }
    },
  );

  it('of half a day has every exercise, that of two hours the four tests of the article', () => {
    const numbers = AGENDAS.map(({ parts }) =>
      parts.flatMap((part) => ('exercise' in part ? [part.exercise] : [])),
    );
    expect(numbers).toEqual([
      [1, 2, 3, 4],
      [1, 2, 3, 4, 5, 6, 7],
    ]);
  });
});
