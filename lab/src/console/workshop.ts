import path from 'node:path';
import { unsealRun } from '../report/unseal-run.js';
import { listRuns, readConcluded, readResult } from '../results/index.js';
import { BOTTLENECKS, FIX_NAMES, FIXES, loadScenarios } from '../scenarios/index.js';
import {
  exercisesOf,
  findExercise,
  judgeAnswer,
  MYSTERY,
  newestSealedRun,
  parseAnswer,
  refuseUnjudgeable,
  revealRun,
  unsealed,
  WorkshopError,
} from '../workshop/index.js';
import type { AnswerJudged, WorkshopView } from './api.js';

/** Exercises, and answers to them judged by what runs have measured: what `lab check` does. */
export interface Workshop {
  view(): WorkshopView;
  /** Judges an answer by the newest run of the exercise, or by the newest mystery, which a right answer reveals. */
  check(given: GivenAnswer): Promise<AnswerJudged>;
  /** Reveals the newest mystery, or the newest run of an exercise, without an answer. */
  giveUp(exercise: string): Promise<AnswerJudged['revealed']>;
}

export interface GivenAnswer {
  exercise: string;
  bottleneck: string;
  evidence: string[];
  fix: string;
}

export function createWorkshop(options: {
  runsDir: string;
  onRevealed: (run: string) => Promise<void>;
}): Workshop {
  const { runsDir, onRevealed } = options;
  const reveal = async () => {
    const sealed = newestSealedRun(runsDir);
    const run = path.basename(await revealRun(runsDir, sealed));
    await onRevealed(run);
    return { run, scenario: sealed.scenario };
  };
  /** Shows what an exercise's run was about. */
  const unseal = async (folder: string, scenario: string) => {
    const run = path.basename(folder);
    await unsealRun(folder);
    await onRevealed(run);
    return { run, scenario };
  };

  return {
    view: () => ({
      exercises: exercisesOf(loadScenarios()).map(({ scenario, exercise }) => ({
        scenario: scenario.name,
        title: scenario.title,
        number: exercise.number,
        minutes: exercise.minutes,
        story: exercise.story,
        questions: exercise.questions,
      })),
      bottlenecks: [...BOTTLENECKS],
      fixes: FIX_NAMES.map((name) => ({ name, text: FIXES[name].text })),
    }),
    async check({ exercise: reference, ...given }) {
      const sealed = reference === MYSTERY ? newestSealedRun(runsDir) : null;
      const opened = sealed === null ? null : unsealed(sealed);
      const exercise = findExercise(loadScenarios(), opened?.scenario.name ?? reference);
      const folder = opened === null ? newestOf(exercise.scenario.name, runsDir) : null;
      const result = opened?.result ?? readConcluded(folder as string);
      refuseUnjudgeable(result);
      const answer = parseAnswer(given, exercise.exercise.evidence.length);
      const judgement = judgeAnswer({ exercise, answer, result });
      if (!judgement.right) return { ...judgement, revealed: null };
      if (folder === null) return { ...judgement, revealed: await reveal() };
      const wasSealed = readResult(folder).sealed;
      return { ...judgement, revealed: wasSealed ? await unseal(folder, result.scenario.name) : null };
    },
    async giveUp(reference) {
      if (reference === MYSTERY) return reveal();
      const { scenario } = findExercise(loadScenarios(), reference);
      return unseal(newestOf(scenario.name, runsDir), scenario.name);
    },
  };
}

/** The folder of the newest run of a scenario. */
function newestOf(scenario: string, runsDir: string): string {
  const newest = listRuns(runsDir)
    .toReversed()
    .filter((folder) => path.basename(folder).includes(`-${scenario}-`))
    .find((folder) => readResult(folder).scenario.name === scenario);
  if (newest !== undefined) return newest;
  throw new WorkshopError(
    'RUN_NOT_JUDGEABLE',
    `there is no run of ${scenario} yet; start one in the view "Run"`,
  );
}
