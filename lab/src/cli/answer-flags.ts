import type { Command } from 'commander';
import type { RunResult } from '../results/index.js';
import { BOTTLENECKS, FIX_NAMES } from '../scenarios/index.js';
import {
  type Answer,
  interview,
  parseAnswer,
  WorkshopError,
  type WorkshopExercise,
} from '../workshop/index.js';
import { canConverse, converse } from './conversation.js';
import type { Terminal } from './terminal.js';

/** An answer as flags. */
export interface AnswerFlags {
  bottleneck?: string;
  evidence?: string[];
  fix?: string;
}

export function addAnswerOptions(command: Command): Command {
  return command
    .option('--bottleneck <name>', `what holds the run back: ${BOTTLENECKS.join(', ')}`)
    .option('--evidence <number...>', 'the numbers asked for, once the bottleneck is right')
    .option('--fix <name>', `what you would change: ${FIX_NAMES.join(', ')}; or a knob`);
}

/**
 * The answer of the flags, or of a conversation where none is given. Null when the participant left.
 * Throws ANSWER_INCOMPLETE.
 */
export async function takeAnswer(
  input: { exercise: WorkshopExercise; result: RunResult; flags: AnswerFlags; json: boolean },
  terminal: Terminal,
): Promise<Answer | null> {
  const { exercise, result, flags, json } = input;
  const { bottleneck, evidence = [], fix } = flags;
  const none = bottleneck === undefined && fix === undefined && evidence.length === 0;
  if (none && !json && canConverse(terminal)) {
    return converse(terminal, (conversation) => interview({ exercise, result }, conversation));
  }
  if (bottleneck === undefined || fix === undefined) {
    const missing = [
      ...(bottleneck === undefined ? ['--bottleneck'] : []),
      ...(fix === undefined ? ['--fix'] : []),
    ];
    throw new WorkshopError(
      'ANSWER_INCOMPLETE',
      `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} missing; "lab check --help" lists what is allowed`,
    );
  }
  return parseAnswer({ bottleneck, evidence, fix }, exercise.exercise.evidence.length);
}
