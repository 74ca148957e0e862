import path from 'node:path';
import { formatRun } from '../report/index.js';
import type { RunResult } from '../results/index.js';
import { loadScenarios } from '../scenarios/index.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import {
  findExercise,
  type Judgement,
  judgeAnswer,
  newestSealedRun,
  refuseUnjudgeable,
  revealRun,
  type SealedRun,
  unsealed,
} from '../workshop/index.js';
import { revealStack } from '../workshop/reveal-stack.js';
import { type AnswerFlags, takeAnswer } from './answer-flags.js';
import { EXIT_CODES } from './exit-codes.js';
import { formatJudgement } from './format-judgement.js';
import { openRunsDir } from './runs-dir.js';
import type { Terminal } from './terminal.js';

interface MysteryAnswerOptions extends AnswerFlags {
  giveUp?: true;
  json?: true;
  runsDir?: string;
  stateDir?: string;
}

/** Judges an answer to the newest mystery. It is revealed when the answer is right, or when its player gives up. */
export async function checkMystery(options: MysteryAnswerOptions, terminal: Terminal): Promise<void> {
  const runsDir = openRunsDir(options.runsDir);
  const sealed = newestSealedRun(runsDir);
  const { scenario, result } = unsealed(sealed);
  if (options.giveUp) {
    process.exitCode = EXIT_CODES.ANSWER_WRONG.code;
    return reveal({ runsDir, sealed, result, judgement: null }, options, terminal);
  }
  refuseUnjudgeable(result);
  const exercise = findExercise(loadScenarios(), scenario.name);
  const json = options.json === true;
  const answer = await takeAnswer({ exercise, result, flags: options, json }, terminal);
  if (answer === null) {
    process.exitCode = EXIT_CODES.ANSWER_WRONG.code;
    return terminal.progress('it stays a mystery; answer later with "lab check mystery", or add --give-up');
  }
  const judgement = judgeAnswer({ exercise, answer, result });
  if (judgement.right) return reveal({ runsDir, sealed, result, judgement }, options, terminal);
  process.exitCode = EXIT_CODES.ANSWER_WRONG.code;
  terminal.result(json ? JSON.stringify(judgement, null, 2) : formatJudgement(judgement, terminal));
}

async function reveal(
  found: { runsDir: string; sealed: SealedRun; result: RunResult; judgement: Judgement | null },
  { json, stateDir }: MysteryAnswerOptions,
  terminal: Terminal,
): Promise<void> {
  const { runsDir, sealed, result, judgement } = found;
  const folder = await revealRun(runsDir, sealed);
  await revealStack(openStateDir(stateDirPath(stateDir)));
  const { scenario, seed } = sealed;
  if (json) {
    return terminal.result(JSON.stringify({ scenario, seed, folder, judgement, result }, null, 2));
  }
  const { color, width } = terminal;
  const judged =
    judgement === null ? '' : `${formatJudgement({ ...judgement, afterwards: SOLVED }, terminal)}\n\n`;
  terminal.result(`${judged}${formatRun(result, { color, width: Math.min(width, 110) })}`);
  terminal.progress(
    `\nIt was ${scenario}; "lab mystery --seed ${seed}" is the same again. ${path.relative(process.cwd(), folder)}`,
  );
}

const SOLVED = 'Solved.';
