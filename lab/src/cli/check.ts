import path from 'node:path';
import type { Command } from 'commander';
import { formatRun } from '../report/index.js';
import { unsealRun } from '../report/unseal-run.js';
import {
  findRun,
  listRuns,
  ResultError,
  type RunResult,
  readConcluded,
  readResult,
} from '../results/index.js';
import { loadScenarios } from '../scenarios/index.js';
import {
  findExercise,
  judgeAnswer,
  MYSTERY,
  refuseUnjudgeable,
  WorkshopError,
  type WorkshopExercise,
} from '../workshop/index.js';
import { type AnswerFlags, addAnswerOptions, takeAnswer } from './answer-flags.js';
import { EXIT_CODES } from './exit-codes.js';
import { formatJudgement } from './format-judgement.js';
import { checkMystery } from './mystery-answer.js';
import { runsDirPath } from './runs-dir.js';
import { jsonOption, runsDirOption, stateDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

export interface CheckOptions extends AnswerFlags {
  run?: string;
  giveUp?: true;
  json?: true;
  runsDir?: string;
  stateDir?: string;
}

export function registerCheck(program: Command, terminal: Terminal): void {
  addAnswerOptions(program.command('check'))
    .description('judge your answer to an exercise by what a run has measured')
    .argument('<exercise>', 'its number or scenario, or "mystery" for the newest one')
    .option('--run <id>', 'the run to judge by: a unique beginning of its name, or a path; else the newest')
    .option('--give-up', 'show what the run was about')
    .addOption(jsonOption())
    .addOption(runsDirOption())
    .addOption(stateDirOption())
    .addHelpText(
      'after',
      `
Without an answer, it asks for one on a terminal. Numbers are asked for when the bottleneck is right.

Examples:
  lab run throttled --no-diagnosis && lab check throttled
  lab check 2 --bottleneck serial-fan-out --evidence 9 --fix parallel-queries
  lab check mystery --bottleneck cpu-saturation --fix cheaper-code --json`,
    )
    .action(async (reference: string, options: CheckOptions) => {
      if (reference === MYSTERY) return checkMystery(options, terminal);
      const exercise = findExercise(loadScenarios(), reference);
      const folder = folderOf(exercise, options);
      const result = readConcluded(folder);
      if (options.giveUp) {
        await unsealRun(folder);
        return giveUp(exercise, result, { ...options, terminal });
      }
      refuseUnjudgeable(result);
      const answer = await takeAnswer(
        { exercise, result, flags: options, json: options.json === true },
        terminal,
      );
      if (answer === null) {
        process.exitCode = EXIT_CODES.ANSWER_WRONG.code;
        return terminal.progress('left without an answer; nothing was given away');
      }
      const judgement = judgeAnswer({ exercise, answer, result });
      if (judgement.right) await unsealRun(folder);
      const { number } = exercise.exercise;
      terminal.result(
        options.json
          ? JSON.stringify({ exercise: number, scenario: exercise.scenario.name, ...judgement }, null, 2)
          : formatJudgement(judgement, terminal),
      );
      if (!judgement.right) process.exitCode = EXIT_CODES.ANSWER_WRONG.code;
    });
}

function giveUp(
  exercise: WorkshopExercise,
  result: RunResult,
  { json, terminal }: { json?: true; terminal: Terminal },
): void {
  const { answer } = exercise.scenario.teaching;
  const { color, width } = terminal;
  terminal.result(
    json
      ? JSON.stringify({ exercise: exercise.exercise.number, answer, diagnosis: result.diagnosis }, null, 2)
      : `${formatRun(result, { color, width: Math.min(width, 110) })}\n\n${answer}`,
  );
  process.exitCode = EXIT_CODES.ANSWER_WRONG.code;
}

/** The folder of the run asked for, or of the newest of the exercise's scenario. */
function folderOf({ scenario, exercise }: WorkshopExercise, { run, ...options }: CheckOptions): string {
  const runsDir = runsDirPath(options.runsDir);
  if (run !== undefined) {
    const folder = findRun(runsDir, run);
    const result = readResult(folder);
    if (result.scenario.name === scenario.name) return folder;
    throw new WorkshopError(
      'RUN_OF_ANOTHER_SCENARIO',
      `run ${result.id} is one of ${result.scenario.name}; exercise ${exercise.number} is on ${scenario.name}`,
    );
  }
  // The name of a run's folder begins with its time and names its scenario; the result has the last word.
  const newest = listRuns(runsDir)
    .toReversed()
    .filter((folder) => path.basename(folder).includes(`-${scenario.name}-`))
    .find((folder) => readResult(folder).scenario.name === scenario.name);
  if (newest !== undefined) return newest;
  throw new ResultError(
    'RUN_UNKNOWN',
    `no run of ${scenario.name} in ${runsDir}; start one with "lab run ${scenario.name} --no-diagnosis"`,
  );
}
