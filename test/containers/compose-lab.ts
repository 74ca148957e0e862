import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, describe, inject, it } from 'vitest';
import { type RunResult, runResult } from '../../lab/src/results/index.js';
import { findCompose } from '../../lab/src/targets/compose/compose-command.js';
import { type ComposeProject, composeProject } from '../../lab/src/targets/compose/compose-project.js';
import { type LabProcess, startLab } from '../integration/lab-stack/lab-process.js';
import { REPOSITORY } from './images.js';

const images = inject('images');
const command = images.available ? await findCompose().catch((error: Error) => error.message) : images.reason;

/** The command line on a project of its own, with the images of the tests. */
export interface ComposeLab {
  name: string;
  project: ComposeProject;
  folder: string;
  env: Record<string, string>;
  /** Adds `--target compose`. */
  lab(...args: string[]): Promise<Awaited<LabProcess['exited']>>;
  start(...args: string[]): LabProcess;
  /** Every run of a scenario, the latest last. */
  runsOf(scenario: string): Promise<RunResult[]>;
}

/** A group of tests on a lab of containers: skipped, with the reason in its name, where there are none to be had. */
export function describeComposeLab(title: string, name: string, tests: (lab: ComposeLab) => void): void {
  if (typeof command === 'string' || !images.available) {
    describe(title, () => {
      it.skip(`skipped: ${command}`, () => {});
    });
    return;
  }
  describe(title, () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'lab-compose-'));
    const project = composeProject({ command, name });
    const runsDir = path.join(folder, 'runs');
    const env = {
      LAB_STATE_DIR: path.join(folder, 'state'),
      COMPOSE_PROJECT_NAME: name,
      LAB_IMAGES: REPOSITORY,
      LAB_IMAGE_TAG: images.tag,
    };
    const start = (...args: string[]) =>
      startLab([...args, '--target', 'compose', ...(args[0] === 'run' ? ['--runs-dir', runsDir] : [])], env);
    afterAll(async () => {
      await project.down();
      rmSync(folder, { recursive: true, force: true });
    });
    tests({
      ...{ name, project, folder, env, start },
      lab: (...args) => start(...args).exited,
      runsOf: (scenario) => readRuns(runsDir, scenario),
    });
  });
}

async function readRuns(runsDir: string, scenario: string): Promise<RunResult[]> {
  const entries = await readdir(runsDir, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name === 'result.json')
    .map((entry) =>
      runResult.parse(JSON.parse(readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))),
    )
    .filter((result) => result.scenario.name === scenario)
    .sort((one, other) => one.loadStartMs - other.loadStartMs);
}
