import type { ServiceName } from '@bottleneck-lab/contracts';
import {
  type ConfigOf,
  loadConfig,
  type Route,
  type RunningService,
  type Runtime,
  SERVICE_SETTINGS,
  type ServiceApp,
  type Settings,
  startService,
} from '@bottleneck-lab/service-kit';

/** Quiet, on free ports, and quick to drain. */
const TEST_ENV = { PORT: '0', LOG_LEVEL: 'silent', SHUTDOWN_LINGER_MS: '50' };

/** A configuration for tests: the defaults, free ports, and `env`. */
export function testConfig<S extends Settings>(settings: S, env: Record<string, string> = {}): ConfigOf<S> {
  return loadConfig(settings, { env: { ...TEST_ENV, ...env } });
}

/** Starts a service in this process; it stops when the test's scope ends. */
export async function startTestService(options: {
  name?: ServiceName;
  env?: Record<string, string>;
  routes?: Route[];
  app?: (runtime: Runtime) => ServiceApp;
}): Promise<RunningService & AsyncDisposable> {
  const { name = 'package', env, routes = [], app = () => ({ routes }) } = options;
  const service = await startService({
    name,
    config: testConfig(SERVICE_SETTINGS, env),
    createApp: (_config, runtime) => app(runtime),
  });
  return {
    ...service,
    async [Symbol.asyncDispose]() {
      await service.stop();
    },
  };
}
