import { type Command, Option } from 'commander';
import { findScenarios, type Scenario } from '../scenarios/index.js';
import { type AttachOptions, attachTarget } from '../targets/attach-target.js';
import type { CompareEnginesOptions } from './compare-engines.js';
import { refuseForCompose } from './compose-flags.js';
import { requireEngine } from './engine.js';
import { UsageError } from './errors.js';
import { EXIT_CODES } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { addKubernetesOptions, type KubernetesOptions, refuseForKubernetes } from './kubernetes-flags.js';
import type { LocalRunOptions } from './local-run.js';
import { httpUrl } from './option-values.js';
import { openRunsDir } from './runs-dir.js';
import { seriesFromFlags } from './series-flags.js';
import {
  checkOption,
  cosmosEndpointOption,
  durationOption,
  engineOption,
  FULL_SECONDS,
  fullOption,
  jsonOption,
  keepOption,
  portOption,
  runsDirOption,
  seedOption,
  stateDirOption,
  statsUrlOption,
} from './shared-options.js';
import { addTelemetryOptions } from './telemetry-flags.js';
import type { Terminal } from './terminal.js';

interface RunOptions extends Omit<LocalRunOptions, 'scenarios'>, KubernetesOptions {
  compareEngines?: true;
  diagnosis: boolean;
  target: 'local' | 'compose' | 'kubernetes' | 'attach';
  gatewayUrl?: string;
  statsUrl: AttachOptions['statsUrls'];
}

export function registerRun(program: Command, terminal: Terminal): void {
  addTelemetryOptions(addKubernetesOptions(program.command('run')))
    .description('run scenarios on the running stack, or on one that is started for it')
    .argument('<scenario...>', 'names, as "lab scenarios" lists them')
    .addOption(durationOption())
    .addOption(fullOption())
    .addOption(seedOption())
    .addOption(engineOption())
    .option(
      '--compare-engines',
      'run the scenario by the built-in engine and by k6, and judge whether they agree',
    )
    .addOption(checkOption())
    .option('--no-diagnosis', 'show what was measured and leave the bottleneck to you; then "lab check"')
    .addOption(jsonOption())
    .addOption(keepOption())
    .addOption(portOption())
    .addOption(cosmosEndpointOption())
    .addOption(
      new Option(
        '--target <kind>',
        'local: processes of this machine; compose: its containers; kubernetes: a release in a cluster; attach: a system that runs already',
      )
        .choices(['local', 'compose', 'kubernetes', 'attach'])
        .default('local'),
    )
    .addOption(new Option('--gateway-url <url>', "attach: the gateway's public URL").argParser(httpUrl))
    .addOption(statsUrlOption())
    .addOption(stateDirOption())
    .addOption(runsDirOption())
    .addHelpText(
      'after',
      `
Examples:
  lab run throttled --check
  lab run throttled --telemetry
  lab run throttled --no-diagnosis && lab check throttled
  lab run serial parallel --duration 120 --json
  lab run serial --engine docker
  lab run serial --compare-engines
  lab run throttled --target compose
  lab run throttled serial --target kubernetes --context kind-kind
  COSMOS_KEY=... lab run throttled --cosmos-endpoint https://example.documents.azure.com
  lab run throttled --target attach --gateway-url http://127.0.0.1:8080 --stats-url delivery=http://127.0.0.1:9001`,
    )
    .action(async (names: string[], options: RunOptions) => {
      refuseContradictions(options);
      const scenarios = findScenarios(names);
      if (options.compareEngines) {
        const { runCompareEngines } = await import('./compare-engines.js');
        process.exitCode = await runCompareEngines(comparisonOf(scenarios, options), terminal);
        return;
      }
      if (options.target === 'kubernetes') {
        const { runOnKubernetes } = await import('./kubernetes-run.js');
        return runOnKubernetes({ ...options, scenarios }, terminal);
      }
      if (options.target === 'compose') {
        const { runOnCompose } = await import('./compose.js');
        return runOnCompose({ ...options, scenarios }, terminal);
      }
      if (options.target === 'local') {
        const { runOnLocalStack } = await import('./local-run.js');
        return runOnLocalStack({ ...options, scenarios }, terminal);
      }
      const runsDir = openRunsDir(options.runsDir);
      await requireEngine(options.engine);
      const { runSeries } = await import('./run-series.js');
      const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
      const exit = await runSeries({
        ...seriesFromFlags({ ...options, scenarios }),
        target: attachTarget({
          gatewayUrl: options.gatewayUrl as string,
          statsUrls: options.statsUrl,
        }),
        runsDir,
        terminal,
        signal: interruption.signal,
      });
      process.exitCode = EXIT_CODES[exit].code;
    });
}

/** Two runs of one scenario, and nothing that would make them differ in more than the engine. */
function comparisonOf(scenarios: readonly Scenario[], options: RunOptions): CompareEnginesOptions {
  const [scenario] = scenarios;
  if (scenario === undefined || scenarios.length > 1) {
    throw new UsageError('--compare-engines takes one scenario');
  }
  if (options.target !== 'local' && options.target !== 'attach') {
    throw new UsageError('--compare-engines belongs to --target local or attach');
  }
  if (options.check || !options.diagnosis || options.telemetry || options.connectionStringEnv !== undefined) {
    throw new UsageError(
      '--compare-engines judges engines: --check, --no-diagnosis and telemetry belong to runs without it',
    );
  }
  return {
    ...options,
    scenario,
    plannedSeconds: options.full ? FULL_SECONDS : options.duration,
    keep: options.keep === true,
    json: options.json === true,
  };
}

function refuseContradictions(options: RunOptions): void {
  const { target, gatewayUrl, statsUrl, cosmosEndpoint, keep, telemetry, connectionStringEnv } = options;
  if (!options.diagnosis && (options.json || options.check)) {
    throw new UsageError('--no-diagnosis is for people: --json and --check would tell what was found');
  }
  if (target === 'attach' && gatewayUrl === undefined) {
    throw new UsageError('--target attach needs --gateway-url, the public URL of the gateway to load');
  }
  if (target === 'attach' && (cosmosEndpoint !== undefined || keep)) {
    throw new UsageError('--target attach starts nothing, so --cosmos-endpoint and --keep have no meaning');
  }
  if (target === 'attach' && (telemetry || connectionStringEnv !== undefined)) {
    throw new UsageError('--target attach starts no services, so it can not make them send telemetry');
  }
  if (target !== 'attach' && (gatewayUrl !== undefined || statsUrl.length > 0)) {
    throw new UsageError('--gateway-url and --stats-url belong to --target attach');
  }
  refuseForKubernetes(options);
  if (target === 'compose') {
    refuseForCompose(options);
    if (options.compareEngines) throw new UsageError('--compare-engines belongs to --target local or attach');
  }
}
