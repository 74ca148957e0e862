import type { Analysis } from '../analysis/analyse.js';
import { quantity } from '../analysis/quantity.js';
import { type Evidence, evidence } from './finding.js';

/** What the run rules out: the busiest service is far from its CPU limit. Empty where that is not so, or unknown. */
export function cpuHeadroom(analysis: Analysis): Evidence[] {
  const limited = analysis.processes.filter((one) => one.last5sPercent !== null);
  const busiest = limited.toSorted((a, b) => (b.last5sPercent ?? 0) - (a.last5sPercent ?? 0))[0];
  if (busiest === undefined || (busiest.last5sPercent ?? 0) >= FAR_PERCENT) return [];
  return [
    evidence(
      `CPU is not it: ${busiest.service} used ${quantity(busiest.last5sPercent ?? 0)} % of its limit in the last 5 s`,
      [`cpu.${busiest.service}.last5sPercent`],
    ),
  ];
}

/** Request units are not used up. Empty where they nearly are, or unknown. */
export function ruHeadroom(analysis: Analysis): Evidence[] {
  const peak = analysis.measures['partition.peakPercent'];
  if (peak === undefined || peak >= FAR_PERCENT) return [];
  return [
    evidence(
      `request units are not it: the hottest physical partition reached ${quantity(peak)} % of its limit`,
      ['partition.peakPercent'],
    ),
  ];
}

const FAR_PERCENT = 75;
