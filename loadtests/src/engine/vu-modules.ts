import { scriptConsole } from './log.js';
import { dataModule } from './modules/data.js';
import { executionModule } from './modules/execution.js';
import type { ModuleValues } from './modules/exports.js';
import { httpModule } from './modules/http.js';
import { k6Module } from './modules/k6.js';
import { metricsModule } from './modules/metrics.js';
import { timersModule } from './modules/timers.js';
import type { RunState } from './run-state.js';
import type { ScriptGlobals } from './script.js';
import type { VirtualUser } from './vu.js';

/** The module values and globals that one virtual user's instance of the script sees. */
export function modulesFor(
  vu: VirtualUser,
  run: RunState,
): { modules: ModuleValues; globals: ScriptGlobals } {
  const timers = timersModule({ clock: run.clock, pending: vu.pending, failed: (thrown) => vu.fail(thrown) });
  const { maxRedirects, discardResponseBodies, throwOnFailure, batch, batchPerHost } = run.options;
  const modules: ModuleValues = {
    k6: k6Module(vu),
    'k6/http': httpModule({
      client: vu.client,
      blocking: vu.blocking,
      defaults: { maxRedirects, discardResponseBodies, throwOnFailure, batch, batchPerHost },
      assertRunning: (what) => vu.assertRunning(what),
    }),
    'k6/metrics': metricsModule(vu),
    'k6/execution': executionModule(vu),
    'k6/data': dataModule(run.shared, (what) => vu.assertLoading(what)),
    'k6/timers': timers,
  };
  const open = (path: unknown, mode?: string) => {
    vu.assertLoading('open()');
    return run.files.open(String(path), mode);
  };
  return { modules, globals: { ...timers, open, console: scriptConsole(run.logger) } };
}
