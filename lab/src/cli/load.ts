import { existsSync, rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type EngineName, type LoadOutcome, startLoad } from '@bottleneck-lab/loadtests';
import type { Command } from 'commander';
import { type OwnLoadResult, ownLoadResult, writeOwnLoad } from '../results/index.js';
import { newRunId } from '../runner/run-id.js';
import { requireEngine } from './engine.js';
import { UsageError } from './errors.js';
import { EXIT_CODES, type ExitName } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { httpUrl } from './option-values.js';
import { openRunsDir } from './runs-dir.js';
import { engineOption, jsonOption, runsDirOption, scriptVariableOption } from './shared-options.js';
import type { Terminal } from './terminal.js';

interface LoadOptions {
  target: string;
  env: Record<string, string>;
  engine: EngineName;
  json?: true;
  runsDir?: string;
}

/** Seconds between two lines of progress. */
const PROGRESS_EVERY_SECONDS = 5;

export function registerLoad(program: Command, terminal: Terminal): void {
  program
    .command('load')
    .description('run your own k6 script against your own service; no drone application needed')
    .argument('<script>', 'path of a k6 script, JavaScript or TypeScript')
    .requiredOption('--target <url>', 'reaches the script as __ENV.BASE_URL', httpUrl)
    .addOption(scriptVariableOption())
    .addOption(engineOption())
    .addOption(jsonOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
Examples:
  lab load checkout.js --target http://127.0.0.1:8080
  lab load checkout.ts --target https://staging.example.com -e USERS=20 --engine k6
  lab load checkout.js --target http://127.0.0.1:8080 --json`,
    )
    .action(async (script: string, options: LoadOptions) => {
      if (!existsSync(script)) throw new UsageError(`no script at ${path.resolve(script)}`);
      process.exitCode = EXIT_CODES[await runOwnScript(path.resolve(script), options, terminal)].code;
    });
}

async function runOwnScript(script: string, options: LoadOptions, terminal: Terminal): Promise<ExitName> {
  const runsDir = openRunsDir(options.runsDir);
  await requireEngine(options.engine);
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  const outDir = await mkdtemp(path.join(os.tmpdir(), 'lab-load-'));
  try {
    const run = startLoad({
      engine: options.engine,
      script,
      env: { ...options.env, BASE_URL: options.target },
      outDir,
      signal: interruption.signal,
    });
    let shown = 0;
    for await (const { users, requests, failed } of run.seconds) {
      const line = `${String(++shown).padStart(4)} s  ${users} users  ${requests} req/s${failed > 0 ? `  ${failed} failed` : ''}`;
      if (terminal.live) terminal.redraw(line);
      else if (shown % PROGRESS_EVERY_SECONDS === 0) terminal.progress(line);
    }
    const outcome = await run.outcome;
    const id = newRunId(`load-${nameOf(script)}`);
    const result = ownLoadResult({ id, script, target: options.target, outcome });
    const folder = path.join(runsDir, id);
    await writeOwnLoad(folder, result);
    print(outcome, { result, folder, json: options.json === true, terminal });
    return exitOf(outcome);
  } finally {
    interruption.stop();
    rmSync(outDir, { recursive: true, force: true });
  }
}

function print(
  outcome: LoadOutcome,
  done: { result: OwnLoadResult; folder: string; json: boolean; terminal: Terminal },
): void {
  const { result, folder, json, terminal } = done;
  if (json) terminal.result(JSON.stringify(result, null, 2));
  else if (outcome.text !== '') terminal.result(outcome.text);
  terminal.progress(`\nresult: ${path.join(path.relative(process.cwd(), folder), 'load.json')}`);
  for (const { metric, threshold } of result.crossed) {
    terminal.progress(`${terminal.paint('red', 'crossed')}: ${metric}: ${threshold}`);
  }
  if (outcome.meaning === 'broken') {
    terminal.progress(
      `${terminal.paint('red', 'error:')} the load broke off (exit code ${outcome.exitCode}):`,
    );
    for (const line of outcome.detail.split('\n')) terminal.progress(`  | ${line}`);
  }
  if (outcome.generator.saturated) {
    terminal.progress(
      `${terminal.paint('yellow', 'machine too busy')}: ${outcome.generator.reason}; the durations include waiting in the load generator`,
    );
  }
}

function exitOf({ meaning, generator }: LoadOutcome): ExitName {
  if (meaning === 'broken') return 'RUN_BROKEN';
  if (meaning === 'interrupted') return 'INTERRUPTED';
  if (generator.saturated) return 'RUN_INVALID';
  return meaning === 'thresholds-crossed' ? 'EXPECTATION_MISSED' : 'OK';
}

/** The script's file name as part of a run's id. */
function nameOf(script: string): string {
  const name = path.basename(script, path.extname(script)).toLowerCase();
  return (
    name
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 40) || 'script'
  );
}
