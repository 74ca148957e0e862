import { quantity } from '../analysis/quantity.js';
import type { RunResult } from '../results/result-schema.js';

/** The figures that tell the four tests apart, as both reports show them. */
export const KEY_FIGURES = [
  { title: 'requests/s', measure: 'throughput.mean' },
  { title: 'highest 15 s', measure: 'throughput.best15s' },
  { title: 'last 5 s', measure: 'throughput.last5s' },
  { title: 'invoice mean, ms', measure: 'client.meanMs' },
  { title: 'errors at the client', measure: 'client.errors' },
  { title: 'GetDroneUtilization mean, ms', measure: 'utilization.meanMs' },
  { title: '  its p95, ms', measure: 'utilization.p95Ms' },
  { title: '429, % of attempts', measure: 'cosmos.throttledPercent' },
  { title: 'partition queries/operation', measure: 'cosmos.queriesPerOperation' },
  { title: 'RU/operation', measure: 'cosmos.ruPerOperation' },
  { title: 'hottest partition, RU/s', measure: 'partition.peakRuPerSecond' },
  { title: '  its limit, RU/s', measure: 'partition.limitRuPerSecond' },
  { title: 'CPU of delivery, last 5 s, %', measure: 'cpu.delivery.last5sPercent' },
] as const;

/** `21.4`, or a dash for what was not measured. */
export function figure(value: number | undefined): string {
  return value === undefined ? '-' : quantity(value, 3);
}

/** One sentence that says what happened to a run, beyond its figures; empty for a sound one. */
export function caveatOf(result: RunResult): string {
  if (result.status !== 'complete') {
    return `This run was ${result.status} (${result.reason || 'no reason given'}); it covers ${result.measuredSeconds} of ${result.plannedSeconds} s.`;
  }
  const turned = result.turnedKnobs.map(
    ({ second, knob, from, to }) => `${knob} from ${from} to ${to} at ${quantity(second)} s`,
  );
  const failed = result.validity.checks.filter((one) => one.ok === false);
  if (failed.length === 0 && turned.length > 0) {
    return `Knobs were turned while this run went on (${turned.join(', ')}): its figures mix what was before and after, so they are not judged against expected or published ones.`;
  }
  if (failed.length === 0) return '';
  return `This run is not valid and says nothing about the system: ${failed.map((one) => one.text).join('; ')}.`;
}

/** What stands in the place of the diagnosis of a sealed run. */
export function sealedNote({ scenario }: RunResult): string {
  return `What holds this run back is for you to find. "lab check ${scenario.name}" judges your answer and then shows the diagnosis here.`;
}

const BRACKETS =
  'In brackets: published figures (Microsoft, "Performance tuning - multiple backend services").';
const THROTTLED_SHARE =
  'The published share of 429 is 14 %, for its load held 41 users for half of the test. Here the number of users rises evenly and crosses what 900 RU/s can serve only near the end, so the share is lower.';

/** What a reader must know about the published figures beside these runs; empty when there are none. */
export function publishedNote(results: readonly RunResult[]): string {
  const published = results.flatMap((result) =>
    result.published === null ? [] : [result.published.measures],
  );
  if (published.length === 0) return '';
  const throttled = published.some((measures) => (measures['cosmos.throttled'] ?? 0) > 0);
  return throttled ? `${BRACKETS} ${THROTTLED_SHARE}` : BRACKETS;
}
