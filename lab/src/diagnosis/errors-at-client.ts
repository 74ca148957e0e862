import type { Analysis } from '../analysis/analyse.js';
import { quantity } from '../analysis/quantity.js';
import { evidence, found, noData, notFound, type RuleOutcome, scoreOf } from './finding.js';
import { THRESHOLDS } from './thresholds.js';

/** Requests fail. Usually the symptom of a limit, which then ranks before it. */
export function judgeErrors(analysis: Analysis): RuleOutcome {
  const rule = 'errors';
  const { measures } = analysis;
  const requests = measures['client.requests'];
  const errors = measures['client.errors'];
  if (requests === undefined || errors === undefined || requests === 0) {
    return noData(rule, 'no requests at the client');
  }
  const percent = (100 * errors) / requests;
  if (percent < THRESHOLDS.errorPercent) {
    return notFound(rule, `${quantity(errors)} of ${quantity(requests)} requests failed at the client`);
  }
  const failed = measures['utilization.failed'];
  return found(rule, {
    name: rule,
    title: 'Failing requests',
    subject: '',
    score: scoreOf(50 + percent / 2),
    confidence: 'high',
    evidence: [
      evidence(
        `${quantity(errors)} of ${quantity(requests)} requests failed at the client (${quantity(percent)} %)`,
        ['client.errors', 'client.requests'],
      ),
      ...(failed === undefined
        ? []
        : [
            evidence(`GetDroneUtilization failed ${quantity(failed)} times at the server`, [
              'utilization.failed',
            ]),
          ]),
    ],
    next: [
      {
        text: 'Open failed transactions and read which backend and which status they name; durations of failed requests say little.',
        knob: null,
      },
    ],
  });
}
