import type { Command } from 'commander';
import { StackError } from '../stack/errors.js';
import { findStack } from '../stack/find-stack.js';
import { whyUsersFixed } from '../stack/load-board.js';
import type { StackStatus } from '../stack/stack-status.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { HIDDEN_KNOBS, type Turn, USERS_KNOB } from '../stack/turns.js';
import { UsageError } from './errors.js';
import { formatKnobs, type KnobLine, stackRows } from './knob-lines.js';
import { jsonOption, stackTargetOption, stateDirOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

interface KnobCommand {
  name: string | undefined;
  value: string | undefined;
  options: KnobOptions;
  terminal: Terminal;
}

interface KnobOptions {
  target: 'local' | 'compose';
  stateDir?: string;
  json?: true;
}

export function registerKnob(program: Command, terminal: Terminal): void {
  program
    .command('knob')
    .description('turn a knob of the running stack, also while a load runs; without a value: show them')
    .argument('[name]', 'a knob; without one, all are listed')
    .argument('[value]', 'its new value')
    .addOption(stackTargetOption())
    .addOption(stateDirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  lab knob\n  lab knob ruPerSecond 2500\n  lab knob queryFanout parallel --json\n  lab knob users 60\n  lab knob ruPerSecond 2500 --target compose',
    )
    .action((name: string | undefined, value: string | undefined, options: KnobOptions) =>
      knob({ name, value, options, terminal }),
    );
}

async function knob(command: KnobCommand): Promise<void> {
  const { name, value, options, terminal } = command;
  if (name !== undefined && value === undefined) {
    throw new UsageError(`a value for ${name} is missing; "lab knob" lists all knobs`);
  }
  const stack = await (options.target === 'local' ? openStack(options) : openContainers(options));
  try {
    if (name === undefined || value === undefined) {
      const rows = stack.rows();
      return terminal.result(options.json ? JSON.stringify(rows, null, 2) : formatKnobs(rows));
    }
    const turned = await stack.turn(name, value);
    terminal.result(
      options.json
        ? JSON.stringify(turned, null, 2)
        : `${turned.knob} turned from ${turned.from} to ${turned.to}`,
    );
  } finally {
    await stack.close();
  }
}

/** Something that runs and has knobs. */
export interface KnobStack {
  rows(): KnobLine[];
  turn(name: string, value: string): Promise<Turn>;
  close(): Promise<void>;
}

async function openStack(options: KnobOptions): Promise<KnobStack> {
  const dir = openStateDir(stateDirPath(options.stateDir));
  const stack = await findStack(dir);
  if (!stack.found) {
    throw new StackError('CONTROL_FAILED', `no stack is running from ${dir.root}; start one with "lab up"`);
  }
  return {
    rows: () => knobRows(stack.status),
    turn: (name, value) => stack.client.turn(name, value),
    close: async () => {},
  };
}

async function openContainers(options: KnobOptions): Promise<KnobStack> {
  const { openComposeKnobs } = await import('./compose-knobs.js');
  return openComposeKnobs(options);
}

function knobRows(status: StackStatus) {
  const { knobs, knobsHidden, load } = status;
  const users = whyUsersFixed(load);
  const rows = [
    ...stackRows(knobs),
    { knob: USERS_KNOB, value: load?.users ?? null, unit: 'users', turnable: users === '', reason: users },
  ];
  if (!knobsHidden) return rows;
  return rows.map((row) => ({ ...row, value: null, turnable: false, reason: HIDDEN_KNOBS }));
}
