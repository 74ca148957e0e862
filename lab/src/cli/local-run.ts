import { stateDirPath } from '../stack/state-dir.js';
import { localTarget } from '../targets/local-target.js';
import { requireEngine } from './engine.js';
import { EXIT_CODES } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { phasePrinter } from './phase-printer.js';
import { openRunsDir } from './runs-dir.js';
import { type SeriesFlags, seriesFromFlags } from './series-flags.js';
import { openStackSession, type StackSession } from './stack-session.js';
import { type TelemetryFlags, telemetryFromFlags } from './telemetry-flags.js';
import type { Terminal } from './terminal.js';

export interface LocalRunOptions extends SeriesFlags, TelemetryFlags {
  keep?: true;
  port: number;
  cosmosEndpoint?: string;
  stateDir?: string;
  runsDir?: string;
}

/** Runs scenarios on the stack of this machine, which is started and stopped for it unless one is running. */
export async function runOnLocalStack(options: LocalRunOptions, terminal: Terminal): Promise<void> {
  const runsDir = openRunsDir(options.runsDir);
  const telemetry = telemetryFromFlags(options, runsDir);
  await requireEngine(options.engine);
  let session: StackSession | null = null;
  const interruption = watchInterruptions(() => {
    session?.kill();
    process.exit(EXIT_CODES.INTERRUPTED.code);
  });
  // Analysis and load engine are loaded while the stack starts, which is another process.
  const series = import('./run-series.js');
  session = await openStackSession({
    stateDir: stateDirPath(options.stateDir),
    seed: options.seed,
    port: options.port,
    cosmosEndpoint: options.cosmosEndpoint ?? null,
    telemetry,
    keep: options.keep === true,
    onPhase: phasePrinter(terminal),
    onReuse: (status) => terminal.progress(`using the running stack, gateway ${status.gatewayUrl}`),
    signal: interruption.signal,
  });
  try {
    const { runSeries } = await series;
    const exit = await runSeries({
      ...seriesFromFlags(options),
      target: await localTarget(session.client),
      runsDir,
      terminal,
      signal: interruption.signal,
    });
    process.exitCode = EXIT_CODES[exit].code;
  } finally {
    await session.close();
    interruption.stop();
  }
}
