import { Command } from 'commander';
import type { Terminal } from '../../../lab/src/cli/terminal.js';

type Register = (program: Command, terminal: Terminal) => void;

/** Runs a command line and returns what it prints as its result. */
export async function printedBy(register: readonly Register[], args: readonly string[]): Promise<string> {
  const printed: string[] = [];
  const terminal: Terminal = {
    color: false,
    live: false,
    width: 110,
    result: (text) => printed.push(text),
    progress: () => {},
    redraw: () => {},
    paint: (_, text) => text,
    paintResult: (_, text) => text,
  };
  const program = new Command('lab').exitOverride().configureOutput({ writeErr: () => {} });
  for (const one of register) one(program, terminal);
  await program.parseAsync(args, { from: 'user' });
  return printed.join('\n');
}
