import path from 'node:path';
import type { EngineName } from '@bottleneck-lab/loadtests';
import type { Recording } from '../recording/index.js';
import { buildResult, type RunResult, writeRun } from '../results/index.js';
import { runScenario } from '../runner/run-scenario.js';
import type { Scenario } from '../scenarios/index.js';
import { stateDirPath } from '../stack/state-dir.js';
import { type AttachOptions, attachTarget } from '../targets/attach-target.js';
import { localTarget } from '../targets/local-target.js';
import type { Target } from '../targets/target.js';
import { liveLine } from './live-line.js';
import { phasePrinter } from './phase-printer.js';
import { openStackSession } from './stack-session.js';
import type { Terminal } from './terminal.js';

export interface TargetChoice {
  /** The gateway of a system that runs already; undefined: the lab's own stack. */
  gatewayUrl?: string | undefined;
  statsUrl: AttachOptions['statsUrls'];
  seed: number;
  port: number;
  keep: boolean;
  cosmosEndpoint?: string | undefined;
  stateDir?: string | undefined;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Lends a target without telemetry: one that runs already, or the lab's own stack, started and stopped where none runs. */
export async function withTarget<Result>(
  choice: TargetChoice,
  use: (target: Target) => Promise<Result>,
): Promise<Result> {
  const { gatewayUrl, statsUrl, seed, port, keep, cosmosEndpoint, stateDir, terminal, signal } = choice;
  if (gatewayUrl !== undefined) return use(attachTarget({ gatewayUrl, statsUrls: statsUrl }));
  const session = await openStackSession({
    stateDir: stateDirPath(stateDir),
    seed,
    port,
    cosmosEndpoint: cosmosEndpoint ?? null,
    telemetry: null,
    keep,
    onPhase: phasePrinter(terminal),
    onReuse: (status) => terminal.progress(`using the running stack, gateway ${status.gatewayUrl}`),
    signal,
  });
  try {
    return await use(await localTarget(session.client));
  } finally {
    await session.close();
  }
}

/** Runs one scenario as `lab run` does and leaves the same folder, without printing the result. */
export async function recordRun(
  target: Target,
  run: {
    scenario: Scenario;
    plannedSeconds: number;
    seed: number;
    engine: EngineName;
    /** The run's folder is made in it. */
    runsDir: string;
    terminal: Terminal;
    signal: AbortSignal;
  },
): Promise<{ recording: Recording; result: RunResult; folder: string }> {
  const { runsDir, terminal, ...options } = run;
  const recording = await runScenario({
    ...options,
    target,
    onPhase: phasePrinter(terminal),
    onSecond: liveLine(terminal),
    onFailure: ({ process, description, log }) =>
      terminal.progress(`${terminal.paint('red', 'error:')} ${process} ${description}; log: ${log}`),
  });
  const result = buildResult(recording);
  const folder = path.join(runsDir, recording.meta.id);
  await writeRun(folder, recording, result);
  return { recording, result, folder };
}
