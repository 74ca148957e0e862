import type { Scenario } from '../scenarios/index.js';
import { createKubectl } from '../targets/kubernetes/kubectl.js';
import { openKubernetesTarget } from '../targets/kubernetes/kubernetes-target.js';
import { requireEngine } from './engine.js';
import { EXIT_CODES } from './exit-codes.js';
import { watchInterruptions } from './interruption.js';
import { DEFAULT_NAME, type KubernetesOptions } from './kubernetes-flags.js';
import type { LocalRunOptions } from './local-run.js';
import { openRunsDir } from './runs-dir.js';
import { seriesFromFlags } from './series-flags.js';
import type { Terminal } from './terminal.js';

/** Runs scenarios on a release in a cluster; the load comes from this machine. */
export async function runOnKubernetes(
  options: KubernetesOptions & LocalRunOptions & { scenarios: readonly Scenario[] },
  terminal: Terminal,
): Promise<void> {
  const { context = '', namespace = DEFAULT_NAME, release = DEFAULT_NAME } = options;
  const runsDir = openRunsDir(options.runsDir);
  await requireEngine(options.engine);
  const { runSeries } = await import('./run-series.js');
  const interruption = watchInterruptions(() => process.exit(EXIT_CODES.INTERRUPTED.code));
  const { target, close } = await openKubernetesTarget({
    kubectl: createKubectl({ context, namespace }),
    release,
  });
  try {
    const exit = await runSeries({
      ...seriesFromFlags(options),
      target,
      runsDir,
      terminal,
      signal: interruption.signal,
    });
    process.exitCode = EXIT_CODES[exit].code;
  } finally {
    close();
    interruption.stop();
  }
}
