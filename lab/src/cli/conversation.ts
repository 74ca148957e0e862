import { createInterface } from 'node:readline/promises';
import type { Conversation } from '../workshop/index.js';
import type { Terminal } from './terminal.js';

/** Whether somebody is there to answer. */
export function canConverse(terminal: Terminal): boolean {
  return process.stdin.isTTY === true && terminal.live;
}

/** Holds a conversation on the terminal, on stderr, so that stdout stays the result. */
export async function converse<Result>(
  terminal: Terminal,
  talk: (conversation: Conversation) => Promise<Result>,
): Promise<Result> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const gone = new Promise<null>((resolve) => lines.once('close', () => resolve(null)));
  // Ctrl-C leaves, as an empty line does.
  lines.on('SIGINT', () => lines.close());
  try {
    return await talk({
      say: (line) => terminal.progress(line),
      ask: (question) => Promise.race([lines.question(terminal.paint('bold', question)), gone]),
    });
  } finally {
    lines.close();
  }
}
