import { type Command, Option } from 'commander';
import { UsageError } from './errors.js';
import type { LocalRunOptions } from './local-run.js';

export interface KubernetesOptions {
  context?: string;
  namespace?: string;
  release?: string;
}

/** Namespace and release of the commands in k8s/README.md. */
export const DEFAULT_NAME = 'bottleneck-lab';

export function addKubernetesOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--context <name>', "kubernetes: the cluster, a context of kubectl's configuration"),
    )
    .addOption(new Option('--namespace <name>', `kubernetes: where the lab is (default: ${DEFAULT_NAME})`))
    .addOption(new Option('--release <name>', `kubernetes: the Helm release (default: ${DEFAULT_NAME})`));
}

/** A cluster is named, never taken from what happens to be the current context: a load would hit it. */
export function refuseForKubernetes(
  options: KubernetesOptions & Partial<LocalRunOptions> & { target: string; compareEngines?: true },
): void {
  const { target, context, namespace, release } = options;
  if (target !== 'kubernetes') {
    if (context === undefined && namespace === undefined && release === undefined) return;
    throw new UsageError('--context, --namespace and --release belong to --target kubernetes');
  }
  if (context === undefined) {
    throw new UsageError('--target kubernetes needs --context, as "kubectl config get-contexts" lists them');
  }
  if (options.cosmosEndpoint !== undefined || options.keep || options.port) {
    throw new UsageError(
      '--target kubernetes starts nothing, so --cosmos-endpoint, --keep and --port have no meaning',
    );
  }
  if (options.telemetry || options.connectionStringEnv !== undefined) {
    throw new UsageError('--target kubernetes: telemetry is set by the chart, see k8s/README.md');
  }
  if (options.compareEngines) throw new UsageError('--compare-engines belongs to --target local or attach');
}
