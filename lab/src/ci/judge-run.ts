import { withUnit } from '../analysis/quantity.js';
import { describeRange } from '../results/expected.js';
import type { Measured } from './measured.js';
import type { CiCase } from './verdict.js';

/** What a load says without a baseline: whether it ran, its script's thresholds and checks, its scenario's ranges. */
export function judgeRun(measured: Measured): CiCase[] {
  if (measured.status !== 'complete') {
    return [{ group: 'load', name: 'load', outcome: 'error', text: measured.reason }];
  }
  return [
    loadCase(measured),
    ...thresholdCases(measured),
    ...checkCases(measured),
    ...expectedCases(measured),
  ];
}

/** A gate that let pass what was never asked, or never answered, would be none. */
function loadCase({ measures }: Measured): CiCase {
  const { value, trials } = measures['requests.failedPercent'] ?? { value: 0, trials: 0 };
  const base = { group: 'load' as const, name: 'load' };
  if (!trials) return { ...base, outcome: 'failed', text: 'the load made no request' };
  if (value === 100) return { ...base, outcome: 'failed', text: `all ${trials} requests failed` };
  return { ...base, outcome: 'passed', text: 'the load ran to its end' };
}

function thresholdCases({ thresholds, tooBusy }: Measured): CiCase[] {
  return thresholds.map(({ metric, threshold, ok, ofTime }) => {
    const name = `${metric}: ${threshold}`;
    const base = { group: 'threshold' as const, name };
    if (ofTime && tooBusy !== '') return { ...base, outcome: 'undecided', text: busy(name, tooBusy) };
    return ok
      ? { ...base, outcome: 'passed', text: `${name} was kept` }
      : { ...base, outcome: 'failed', text: `${name} was crossed` };
  });
}

/** A script that limits its checks as a whole allows some to fail; without such a limit each must hold. */
function checkCases({ checks, thresholds }: Measured): CiCase[] {
  const limited = thresholds.some(({ metric }) => metric === 'checks' || metric.startsWith('checks{'));
  return checks.map(({ name, passes, fails }) => {
    const text = `${name}: failed ${fails} of ${passes + fails} times`;
    const base = { group: 'check' as const, name, text };
    if (fails === 0) return { ...base, outcome: 'passed' };
    if (!limited) return { ...base, outcome: 'failed' };
    return { ...base, outcome: 'skipped', text: `${text}; the threshold on checks decides` };
  });
}

function expectedCases({ expected }: Measured): CiCase[] {
  if (expected === null) return [];
  const { bottleneck, measures } = expected;
  const found: CiCase = {
    group: 'expected',
    name: 'bottleneck',
    outcome: outcomeOf(bottleneck.ok, 'the run is not valid'),
    text: `the bottleneck found is ${bottleneck.found}, expected is ${bottleneck.expected}`,
  };
  const ranges = measures.map((range): CiCase => {
    const value = range.value === null ? 'not measured' : withUnit(range.value, range.unit, 3);
    const reason = range.ok === null ? `; not judged: ${range.reason}` : '';
    return {
      group: 'expected',
      name: range.measure,
      outcome: outcomeOf(range.ok, range.reason),
      text: `${range.measure} is ${value}, expected ${describeRange(range)}${reason}`,
    };
  });
  return [found, ...ranges];
}

function outcomeOf(ok: boolean | null, reason: string): CiCase['outcome'] {
  if (ok === null) return reason === 'the run is not valid' ? 'undecided' : 'skipped';
  return ok ? 'passed' : 'failed';
}

export function busy(name: string, reason: string): string {
  return `${name} was not judged, the machine was too busy: ${reason}`;
}
