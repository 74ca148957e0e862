import type { ServiceName } from '@bottleneck-lab/contracts';
import { loadProfile } from '@bottleneck-lab/loadtests';
import type { LiveSecond } from '../runner/live-second.js';
import type { LiveSource } from '../runner/live-view.js';
import type { Scenario } from '../scenarios/index.js';
import type { PhaseEvent } from '../stack/phases.js';
import type { Turn } from '../stack/turns.js';
import type { ChartPoint, RunState, RunView, StepMark } from './api.js';
import { chartPoint, limitedServices } from './chart-point.js';

/** A run while it goes on: what its charts show so far. */
export interface LiveRun {
  view(): RunView;
  started(id: string): void;
  phase(event: PhaseEvent): void;
  second(second: LiveSecond, source: LiveSource): ChartPoint;
  turned(turn: Turn): void;
  ended(state: RunState, detail: string): void;
}

export function createLiveRun(options: {
  scenario: Scenario;
  plannedSeconds: number;
  sealed: boolean;
}): LiveRun {
  const { scenario, plannedSeconds, sealed } = options;
  const points: ChartPoint[] = [];
  const turns: Turn[] = [];
  const limited = new Set<ServiceName>();
  let zero: number | null = null;
  let id = '';
  let state: RunState = 'preparing';
  let detail = 'waiting for the stack';
  let over = false;

  return {
    view: () => ({
      id,
      scenario: scenario.name,
      title: scenario.title,
      state,
      detail,
      startedAtMs: zero === null ? null : zero * 1000,
      plannedSeconds,
      points,
      steps: plannedSteps(scenario, plannedSeconds),
      turns: turns.map(({ atMs, knob, from, to }) => ({
        second: zero === null ? 0 : Math.max(0, atMs / 1000 - zero),
        ...{ knob, from, to },
      })),
      limitedServices: [...limited],
      // What can't be judged hides nothing any more.
      sealed: sealed && (!over || (state === 'complete' && detail === '')),
      elsewhere: null,
      result: null,
    }),
    started(given) {
      id = given;
    },
    phase(event) {
      state =
        event.name === 'load' && event.state === 'end'
          ? 'finishing'
          : stateOfPhase(event.name, state !== 'preparing');
      detail = event.state === 'begin' ? event.name : '';
    },
    second(live, { load, rows }) {
      zero ??= load.second - live.second;
      const point = chartPoint({
        second: live.second,
        rows,
        container: points.at(-1)?.container ?? null,
        load: {
          users: load.users,
          requests: load.requests,
          failed: load.failed,
          clientMeanMs: live.meanMs,
          clientP95Ms: live.p95Ms,
        },
      });
      for (const service of limitedServices(rows)) limited.add(service);
      points.push(point);
      return point;
    },
    turned: (turn) => void turns.push(turn),
    ended(newState, newDetail) {
      over = true;
      state = newState;
      detail = newDetail;
    },
  };
}

/** What comes after the load finishes the run. */
export function stateOfPhase(phase: string, loaded: boolean): RunState {
  if (phase === 'load') return 'loading';
  return loaded ? 'finishing' : 'preparing';
}

/** Where the load's steps begin, before the engine has told. */
export function plannedSteps({ load }: Scenario, plannedSeconds: number): StepMark[] {
  const { steps, stages } = loadProfile(load.profile);
  if (steps !== 'stages') {
    return Array.from({ length: steps }, (_, at) => ({
      name: String(at + 1),
      fromSecond: (plannedSeconds * at) / steps,
    }));
  }
  let share = 0;
  return stages.map((stage, at) => {
    const fromSecond = plannedSeconds * share;
    share += stage.share;
    return { name: String(at + 1), fromSecond };
  });
}
