import path from 'node:path';
import { listRuns, type RunResult, readResult } from '../results/index.js';
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
  /** Reveals the newest mystery without an answer. */
  giveUp(): Promise<AnswerJudged['revealed']>;
}

export interface GivenAnswer {
  exercise: string;
  bottleneck: string;
  evidence: string[];
  fix: string;
}

export function createWorkshop(options: { runsDir: string; onRevealed: (run: string) => void }): Workshop {
  const { runsDir, onRevealed } = options;
  const reveal = async () => {
    const sealed = newestSealedRun(runsDir);
    const run = path.basename(await revealRun(runsDir, sealed));
    onRevealed(run);
    return { run, scenario: sealed.scenario };
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
      const result = opened?.result ?? newestOf(exercise.scenario.name, runsDir);
      refuseUnjudgeable(result);
      const answer = parseAnswer(given, exercise.exercise.evidence.length);
      const judgement = judgeAnswer({ exercise, answer, result });
      const solved = judgement.right && sealed !== null;
      return { ...judgement, revealed: solved ? await reveal() : null };
    },
    giveUp: reveal,
  };
}

function newestOf(scenario: string, runsDir: string): RunResult {
  const newest = listRuns(runsDir)
    .toReversed()
    .filter((folder) => path.basename(folder).includes(`-${scenario}-`))
    .map(readResult)
    .find((result) => result.scenario.name === scenario);
  if (newest !== undefined) return newest;
  throw new WorkshopError(
    'RUN_NOT_JUDGEABLE',
    `there is no run of ${scenario} yet; start one in the view "Run"`,
  );
}
