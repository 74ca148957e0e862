import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { INTERNAL_ROUTES, SERVICE_NAMES } from '@bottleneck-lab/contracts';
import { Argument, type Command, Option } from 'commander';
import { newRunId } from '../runner/run-id.js';
import { StackError } from '../stack/errors.js';
import { findStack } from '../stack/find-stack.js';
import { openStateDir, stateDirPath } from '../stack/state-dir.js';
import { requestJson } from '../supervisor/http-json.js';
import { cpuProfile, type HotFunction, hottestFunctions } from '../workshop/profile-summary.js';
import { wholeNumber } from './option-values.js';
import { openRunsDir } from './runs-dir.js';
import { jsonOption, localTargetOption, runsDirOption, stateDirOption } from './shared-options.js';
import { formatTable } from './table.js';
import type { Terminal } from './terminal.js';

interface ProfileOptions {
  seconds: number;
  json?: true;
  runsDir?: string;
  stateDir?: string;
}

const FUNCTIONS_SHOWN = 8;
/** Profiles of one machine lie together, beside its runs. */
const FOLDER = 'profiles';
/** A busy service finishes its samples late. */
const PATIENCE_MS = 30_000;

export function registerProfile(program: Command, terminal: Terminal): void {
  program
    .command('profile')
    .description('a CPU profile of a running service, for the developer tools of a browser or editor')
    .addArgument(new Argument('<service>', 'whose process').choices(SERVICE_NAMES))
    .addOption(new Option('--seconds <number>', 'how long').argParser(wholeNumber(1, 60)).default(10))
    .addOption(localTargetOption())
    .addOption(jsonOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      '\nExamples:\n  lab profile delivery                 while a load runs\n  lab profile gateway --seconds 30 --json',
    )
    .action((service: string, options: ProfileOptions) => profile(service, options, terminal));
}

async function profile(service: string, options: ProfileOptions, terminal: Terminal): Promise<void> {
  const { seconds } = options;
  const folder = path.join(openRunsDir(options.runsDir), FOLDER);
  const dir = openStateDir(stateDirPath(options.stateDir));
  const stack = await findStack(dir);
  if (!stack.found) {
    throw new StackError('CONTROL_FAILED', `no stack is running from ${dir.root}; start one with "lab up"`);
  }
  const process = stack.status.processes.find((one) => one.name === service);
  if (process?.internalUrl == null) {
    throw new StackError('CONTROL_FAILED', `${service} is not running; see "lab status"`);
  }
  terminal.redraw(terminal.paint('dim', `  ... profiling ${process.instance} for ${seconds} s`));
  const taken = cpuProfile.parse(
    await requestJson(`${process.internalUrl}${INTERNAL_ROUTES.profile}?seconds=${seconds}`, {
      method: 'POST',
      timeoutMs: seconds * 1_000 + PATIENCE_MS,
    }).catch((cause: Error) => {
      throw new StackError('CONTROL_FAILED', `${process.instance} gave no profile: ${cause.message}`, {
        cause,
      });
    }),
  );
  const file = path.join(folder, `${newRunId(service)}.cpuprofile`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(file, JSON.stringify(taken));
  const functions = hottestFunctions(taken, FUNCTIONS_SHOWN);
  terminal.result(
    options.json
      ? JSON.stringify({ service, instance: process.instance, seconds, file, functions }, null, 2)
      : `${formatFunctions(functions)}\n\n${path.relative(globalThis.process.cwd(), file)}`,
  );
  terminal.progress("open it in the Performance view of a Chromium browser's developer tools, or in VS Code");
}

function formatFunctions(functions: readonly HotFunction[]): string {
  if (functions.length === 0) return 'the process was idle; take the profile while a load runs';
  return formatTable(
    ['self ms', '%', 'function', 'where'],
    functions.map(({ name, place, selfMs, percent }) => [
      selfMs.toFixed(0).padStart(7),
      percent.toFixed(0),
      name,
      place,
    ]),
  );
}
