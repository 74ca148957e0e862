import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Command } from 'commander';
import { PROJECT_ROOT } from '../stack/state-dir.js';
import { registerCheck } from './check.js';
import { registerCi } from './ci.js';
import { registerCompare } from './compare.js';
import { registerConsole } from './console.js';
import { registerDoctor } from './doctor.js';
import { registerDown } from './down.js';
import { exitCodeRows } from './exit-codes.js';
import { registerKnob } from './knob.js';
import { registerLoad } from './load.js';
import { registerMystery } from './mystery.js';
import { registerProfile } from './profile.js';
import { registerQuery } from './query.js';
import { registerReport } from './report.js';
import { registerReset } from './reset.js';
import { registerRun } from './run.js';
import { registerScenarios } from './scenarios.js';
import { registerStart } from './start.js';
import { registerStatus } from './status.js';
import type { Terminal } from './terminal.js';
import { registerTrace } from './trace.js';
import { registerUp } from './up.js';
import { registerWorkshop } from './workshop.js';

/** The command line, without running anything: the exit code is set by whoever parses. */
export function buildProgram(terminal: Terminal): Command {
  const program = new Command('lab')
    .description(
      'A drone-delivery backend whose bottleneck moves as you fix it, and the instruments to find it.',
    )
    .version(labVersion())
    .showHelpAfterError('(--help shows what is allowed)')
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .addHelpText(
      'after',
      `\nExit codes:\n${exitCodeRows()
        .map((row) => `  ${row.slice(2, -2)}`)
        .join('\n')}`,
    );
  registerStart(program, terminal);
  registerRun(program, terminal);
  registerUp(program, terminal);
  registerDown(program, terminal);
  registerStatus(program, terminal);
  registerScenarios(program, terminal);
  registerCompare(program, terminal);
  registerReport(program, terminal);
  registerKnob(program, terminal);
  registerConsole(program, terminal);
  registerLoad(program, terminal);
  registerCi(program, terminal);
  registerQuery(program, terminal);
  registerTrace(program, terminal);
  registerWorkshop(program, terminal);
  registerCheck(program, terminal);
  registerMystery(program, terminal);
  registerReset(program, terminal);
  registerProfile(program, terminal);
  registerDoctor(program, terminal);
  return program;
}

function labVersion(): string {
  return JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'lab/package.json'), 'utf8')).version;
}
