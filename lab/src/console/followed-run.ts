import type { ServiceName } from '@bottleneck-lab/contracts';
import { loadScenarios, type Scenario } from '../scenarios/index.js';
import type { LoadNews } from '../stack/load-board.js';
import { disguise, MYSTERY } from '../workshop/index.js';
import type { ChartPoint, RunView } from './api.js';
import { plannedSteps, stateOfPhase } from './live-run.js';

/** A run of another process, as its stack tells of it. */
export interface FollowedRun {
  id: string;
  pid: number;
  view(): RunView;
  /** What has come with the news. */
  take(news: LoadNews): ChartPoint[];
  ended(detail: string): void;
}

export function createFollowedRun({ run: id, scenario: name, plannedSeconds, pid }: Announced): FollowedRun {
  const scenario = scenarioOf(name);
  const points: ChartPoint[] = [];
  const run: RunView = {
    ...{ id, scenario: name, plannedSeconds, points },
    title: scenario?.title ?? '',
    state: 'preparing',
    detail: '',
    startedAtMs: null,
    steps: scenario === undefined ? [] : plannedSteps(scenario, plannedSeconds),
    turns: [],
    limitedServices: [],
    sealed: false,
    elsewhere: { pid },
    result: null,
  };
  return {
    id,
    pid,
    view: () => ({ ...run }),
    take({ load, points: come, turns }) {
      const fresh = come as unknown as ChartPoint[];
      points.push(...fresh);
      if (load !== null) {
        run.state = stateOfPhase(load.phase, points.length > 0);
        run.detail = load.phase;
        run.startedAtMs = load.loadStartMs;
        run.limitedServices = load.limitedServices as ServiceName[];
      }
      const zero = run.startedAtMs ?? 0;
      run.turns = turns.map(({ atMs, knob, from, to }) => ({
        second: Math.max(0, (atMs - zero) / 1000),
        ...{ knob, from, to },
      }));
      return fresh;
    },
    ended(detail) {
      run.state = 'complete';
      run.detail = detail;
    },
  };
}

type Announced = NonNullable<LoadNews['load']>;

/** Of a mystery, its disguise: which scenario is disguised does not matter, their loads look alike. */
function scenarioOf(name: string): Scenario | undefined {
  const scenarios = loadScenarios();
  return name === MYSTERY ? disguise(scenarios[0] as Scenario) : scenarios.find((one) => one.name === name);
}
