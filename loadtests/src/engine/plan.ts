import type { ExecutorDefinition, ScenarioConfig } from './executors/executor.js';
import { EXECUTORS } from './executors/index.js';

export function executorOf(scenario: ScenarioConfig): ExecutorDefinition {
  return EXECUTORS[scenario.executor] as ExecutorDefinition;
}

/** Highest number of virtual users that the scenarios reserve at the same time. */
export function plannedVus(scenarios: readonly ScenarioConfig[]): number {
  const plans = scenarios.map((scenario) =>
    executorOf(scenario)
      .plannedVus(scenario)
      .map((step) => ({ atMs: step.atMs + scenario.startTimeMs, vus: step.vus })),
  );
  const moments = [...new Set(plans.flatMap((plan) => plan.map((step) => step.atMs)))];
  const reservedAt = (atMs: number) =>
    plans.reduce((sum, plan) => sum + (plan.findLast((step) => step.atMs <= atMs)?.vus ?? 0), 0);
  return Math.max(0, ...moments.map(reservedAt));
}

/** Seconds from the first scenario's zero to the planned end of the load; null when it ends with its iterations. */
export function plannedSeconds(scenarios: readonly ScenarioConfig[]): number | null {
  if (scenarios.some((scenario) => executorOf(scenario).endsEarly)) return null;
  return Math.max(...scenarios.map((s) => s.startTimeMs + executorOf(s).durationMs(s))) / 1000;
}
