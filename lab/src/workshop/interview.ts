import type { RunResult } from '../results/index.js';
import { BOTTLENECKS, FIX_NAMES, FIXES } from '../scenarios/index.js';
import { type Answer, parseBottleneck, parseFix, parseNumber } from './answer.js';
import { WorkshopError } from './errors.js';
import type { WorkshopExercise } from './exercises.js';
import { type JudgedPart, judgeBottleneck, judgeEvidence, judgeFix } from './judge.js';

/** Where an interview is held. */
export interface Conversation {
  say(line: string): void;
  /** Null when nobody is there any more. */
  ask(question: string): Promise<string | null>;
}

/**
 * Asks for an answer part by part and judges each at once; a part is asked for again until it is right. Questions for
 * evidence come after the bottleneck, because they give it away. Null when the participant leaves with an empty line.
 */
export async function interview(
  input: { exercise: WorkshopExercise; result: RunResult },
  conversation: Conversation,
): Promise<Answer | null> {
  const { exercise, result } = input;
  const { say } = conversation;
  const part = <Value>(question: string, options: PartOptions<Value>) =>
    askUntilRight(conversation, question, options);

  say('An empty line ends it; nothing is given away.');
  for (const line of numbered(BOTTLENECKS)) say(line);
  const bottleneck = await part('What holds this run back?', {
    parse: (text) => parseBottleneck(chosen(text, BOTTLENECKS)),
    judge: (given) => judgeBottleneck(given, result),
  });
  if (bottleneck === null) return null;

  const evidence: number[] = [];
  for (const asked of exercise.exercise.evidence) {
    const value = await part(asked.ask, {
      parse: parseNumber,
      judge: (given) => judgeEvidence(asked, given, result),
    });
    if (value === null) return null;
    evidence.push(value);
  }

  for (const line of numbered(FIX_NAMES.map((name) => `${name}: ${FIXES[name].text}`))) say(line);
  const fix = await part('What would you change?', {
    parse: (text) => parseFix(chosen(text, FIX_NAMES)),
    judge: (given) => judgeFix({ exercise, fix: given, result }),
  });
  return fix === null ? null : { bottleneck, evidence, fix };
}

interface PartOptions<Value> {
  parse: (text: string) => Value;
  judge: (value: Value) => JudgedPart;
}

async function askUntilRight<Value>(
  { ask, say }: Conversation,
  question: string,
  { parse, judge }: PartOptions<Value>,
): Promise<Value | null> {
  for (;;) {
    const text = await ask(`${question} `);
    if (text === null || text.trim() === '') return null;
    try {
      const value = parse(text);
      const { ok, reply } = judge(value);
      say(reply);
      if (ok !== false) return value;
    } catch (error) {
      if (!(error instanceof WorkshopError)) throw error;
      say(error.message);
    }
  }
}

const numbered = (texts: readonly string[]) => texts.map((text, at) => `  ${at + 1} ${text}`);

/** A number of the list stands for its entry. */
function chosen(text: string, names: readonly string[]): string {
  return (/^\d+$/.test(text.trim()) ? names[Number(text) - 1] : undefined) ?? text;
}
