import type { Command } from 'commander';
import { KNOB_TABLE, type KnobName } from '../scenarios/index.js';
import { StackError } from '../stack/errors.js';
import { findStack } from '../stack/find-stack.js';
import { whyUsersFixed } from '../stack/load-board.js';
import type { StackStatus } from '../stack/stack-status.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { HIDDEN_KNOBS, USERS_KNOB, whyNotTurnable } from '../stack/turns.js';
import { UsageError } from './errors.js';
import { jsonOption, stateDirOption } from './shared-options.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

interface KnobOptions {
  stateDir?: string;
  json?: true;
}

export function registerKnob(program: Command, terminal: Terminal): void {
  program
    .command('knob')
    .description('turn a knob of the running stack, also while a load runs; without a value: show them')
    .argument('[name]', 'a knob; without one, all are listed')
    .argument('[value]', 'its new value')
    .addOption(stateDirOption())
    .addOption(jsonOption())
    .addHelpText(
      'after',
      '\nExamples:\n  lab knob\n  lab knob ruPerSecond 2500\n  lab knob queryFanout parallel --json\n  lab knob users 60',
    )
    .action((name: string | undefined, value: string | undefined, options: KnobOptions) =>
      knob({ name, value, options, terminal }),
    );
}

async function knob(command: {
  name: string | undefined;
  value: string | undefined;
  options: KnobOptions;
  terminal: Terminal;
}): Promise<void> {
  const { name, value, options, terminal } = command;
  const dir = openStateDir(stateDirPath(options.stateDir));
  const stack = await findStack(dir);
  if (!stack.found) {
    throw new StackError('CONTROL_FAILED', `no stack is running from ${dir.root}; start one with "lab up"`);
  }
  if (name === undefined) {
    const rows = knobRows(stack.status);
    return terminal.result(options.json ? JSON.stringify(rows, null, 2) : formatKnobs(rows));
  }
  if (value === undefined) throw new UsageError(`a value for ${name} is missing; "lab knob" lists all knobs`);
  const turned = await stack.client.turn(name, value);
  terminal.result(
    options.json
      ? JSON.stringify(turned, null, 2)
      : `${turned.knob} turned from ${turned.from} to ${turned.to}`,
  );
}

interface KnobLine {
  knob: string;
  /** Null until a scenario was run. */
  value: unknown;
  unit: string;
  turnable: boolean;
  /** Why not; empty when it can be turned. */
  reason: string;
}

function knobRows(status: StackStatus): KnobLine[] {
  const { knobs, knobsHidden, load } = status;
  const users = whyUsersFixed(load);
  const rows = [
    ...stackRows(knobs),
    { knob: USERS_KNOB, value: load?.users ?? null, unit: 'users', turnable: users === '', reason: users },
  ];
  if (!knobsHidden) return rows;
  return rows.map((row) => ({ ...row, value: null, turnable: false, reason: HIDDEN_KNOBS }));
}

function stackRows(knobs: StackStatus['knobs']): KnobLine[] {
  return (Object.keys(KNOB_TABLE) as KnobName[]).map((name) => {
    const reason = whyNotTurnable(name);
    const value = name === 'burst' ? knobs?.burstSeconds : knobs?.[name];
    return {
      knob: name,
      value: value ?? null,
      unit: name === 'burst' ? 's' : KNOB_TABLE[name].unit,
      turnable: reason === null,
      reason: reason ?? '',
    };
  });
}

function formatKnobs(rows: readonly KnobLine[]): string {
  return formatTable(
    ['knob', 'value', 'unit', 'while running'],
    rows.map(({ knob: name, value, unit, reason }) => [
      name,
      value === null ? '-' : typeof value === 'object' ? JSON.stringify(value) : String(value),
      unit,
      reason === '' ? 'can be turned' : reason,
    ]),
  );
}
