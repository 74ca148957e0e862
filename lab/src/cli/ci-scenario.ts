import path from 'node:path';
import { type Measured, measuredScenario } from '../ci/measured.js';
import { buildResult, writeRun } from '../results/index.js';
import { runScenario } from '../runner/run-scenario.js';
import type { Scenario } from '../scenarios/index.js';
import { stateDirPath } from '../stack/state-dir.js';
import { attachTarget } from '../targets/attach-target.js';
import { localTarget } from '../targets/local-target.js';
import type { Target } from '../targets/target.js';
import type { CiOptions } from './ci.js';
import { liveLine } from './live-line.js';
import { phasePrinter } from './phase-printer.js';
import { openRunsDir } from './runs-dir.js';
import { openStackSession } from './stack-session.js';
import type { Terminal } from './terminal.js';

export interface ScenarioGate {
  scenario: Scenario;
  /** The gateway of a system that runs already; undefined: the lab's own stack. */
  gatewayUrl: string | undefined;
  options: CiOptions;
  terminal: Terminal;
  signal: AbortSignal;
}

/** Runs a scenario as `lab run` does, and leaves the same folder. */
export async function measureScenario(gate: ScenarioGate): Promise<{ measured: Measured; run: string }> {
  const { gatewayUrl, options } = gate;
  if (gatewayUrl !== undefined)
    return measureOn(attachTarget({ gatewayUrl, statsUrls: options.statsUrl }), gate);
  const { terminal, signal } = gate;
  const session = await openStackSession({
    stateDir: stateDirPath(options.stateDir),
    seed: options.seed,
    port: 0,
    cosmosEndpoint: options.cosmosEndpoint ?? null,
    telemetry: null,
    keep: false,
    onPhase: phasePrinter(terminal),
    onReuse: (status) => terminal.progress(`using the running stack, gateway ${status.gatewayUrl}`),
    signal,
  });
  try {
    return await measureOn(await localTarget(session.client), gate);
  } finally {
    await session.close();
  }
}

async function measureOn(target: Target, gate: ScenarioGate): Promise<{ measured: Measured; run: string }> {
  const { scenario, options, terminal, signal } = gate;
  const { duration, seed, engine } = options;
  const recording = await runScenario({
    scenario,
    target,
    plannedSeconds: duration,
    seed,
    engine,
    signal,
    onPhase: phasePrinter(terminal),
    onSecond: liveLine(terminal),
    onFailure: ({ process, description, log }) =>
      terminal.progress(`${terminal.paint('red', 'error:')} ${process} ${description}; log: ${log}`),
  });
  const result = buildResult(recording);
  const folder = path.join(openRunsDir(options.runsDir), recording.meta.id);
  await writeRun(folder, recording, result);
  return { measured: measuredScenario(result, recording.load), run: folder };
}
