import { tagValue } from './metrics.js';

/** What `exec.scenario` tells. */
export interface ScenarioView {
  readonly name: string;
  readonly executor: string;
  /** Unix milliseconds. */
  readonly startTime: number;
  readonly progress: number;
  readonly iterationInInstance: number;
  readonly iterationInTest: number;
}

export interface ExecutionModuleHost {
  /** Undefined outside of a scenario, for example in setup(). */
  readonly scenario: ScenarioView | undefined;
  readonly vuId: number;
  readonly iterationInInstance: number;
  readonly iterationInScenario: number;
  readonly instance: object;
  readonly testOptions: () => unknown;
  tag(name: string): string | undefined;
  setTag(name: string, value: string | undefined): void;
  readonly tagValues: Readonly<Record<string, string>>;
  readonly metadata: Record<string, unknown>;
  abort(message: string): never;
  markFailed(message: string): void;
}

/** `k6/execution` for one virtual user. */
export function executionModule(host: ExecutionModuleHost): Record<string, unknown> {
  const tags = tagsProxy(host);
  const metrics = { tags, metadata: host.metadata };
  const scenarioField = (name: keyof ScenarioView) => {
    if (host.scenario === undefined)
      throw new Error(`getting exec.scenario.${name} outside of a scenario is not possible`);
    return host.scenario[name];
  };
  const scenario = getters({
    name: () => scenarioField('name'),
    executor: () => scenarioField('executor'),
    startTime: () => scenarioField('startTime'),
    progress: () => scenarioField('progress'),
    iterationInInstance: () => scenarioField('iterationInInstance'),
    iterationInTest: () => scenarioField('iterationInTest'),
  });
  const vu = getters({
    idInInstance: () => host.vuId,
    idInTest: () => host.vuId,
    iterationInInstance: () => host.iterationInInstance,
    iterationInScenario: () => host.iterationInScenario,
    tags: () => tags,
    metrics: () => metrics,
  });
  const test = {
    abort: (message: unknown = '') => host.abort(String(message)),
    fail: (message: unknown = '') => host.markFailed(String(message)),
    get options() {
      return host.testOptions();
    },
  };
  return { scenario, vu, instance: host.instance, test };
}

function getters(fields: Record<string, () => unknown>): object {
  const target = {};
  for (const [name, get] of Object.entries(fields))
    Object.defineProperty(target, name, { get, enumerable: true });
  return target;
}

/** Tags that stay on the virtual user: `exec.vu.metrics.tags.step = '3'`. */
function tagsProxy(host: ExecutionModuleHost): object {
  return new Proxy(
    {},
    {
      get: (_target, name) => (typeof name === 'string' ? host.tag(name) : undefined),
      set(_target, name, value) {
        host.setTag(String(name), tagValue(String(name), value));
        return true;
      },
      deleteProperty(_target, name) {
        host.setTag(String(name), undefined);
        return true;
      },
      has: (_target, name) => host.tag(String(name)) !== undefined,
      ownKeys: () => Object.keys(host.tagValues),
      getOwnPropertyDescriptor: (_target, name) => ({
        value: host.tag(String(name)),
        enumerable: true,
        configurable: true,
        writable: true,
      }),
    },
  );
}
