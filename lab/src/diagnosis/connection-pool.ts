import type { Analysis } from '../analysis/analyse.js';
import { quantity } from '../analysis/quantity.js';
import type { TransportStatistics } from '../analysis/transport-statistics.js';
import { isBusy } from './cpu-saturation.js';
import {
  type Evidence,
  evidence,
  type Finding,
  found,
  noData,
  notFound,
  type RuleOutcome,
  scoreOf,
} from './finding.js';
import { kneeEvidence } from './knee.js';
import { THRESHOLDS } from './thresholds.js';

/** Calls wait in front of a service that is not busy: for a connection. */
export function judgeConnectionPool(analysis: Analysis): RuleOutcome {
  const rule = 'connection-pool';
  const invoiceMs = analysis.lastQuarter['gateway.meanMs'];
  if (analysis.transport.length === 0 || invoiceMs === undefined) {
    return noData(rule, 'no calls of which both the caller and the called service gave rows');
  }
  const idle = analysis.transport.filter((hop) => !ends(hop, analysis).some(isBusy));
  if (idle.length === 0) return notFound(rule, 'every called service was busy itself, or the gateway was');
  const findings = idle
    .filter((hop) => waitsOutside(hop, invoiceMs))
    .map((hop) => findingFor(hop, invoiceMs, kneeEvidence(analysis)));
  if (findings.length > 0) return found(rule, ...findings);
  const worst = idle.reduce((most, hop) => (hop.outsideMs > most.outsideMs ? hop : most));
  return notFound(
    rule,
    `at most ${quantity(worst.outsideMs)} of ${quantity(worst.callMs)} ms of a call to ${worst.service} were spent outside it`,
  );
}

function ends(hop: TransportStatistics, analysis: Analysis) {
  return analysis.processes.filter((one) => one.service === hop.service || one.service === 'gateway');
}

function waitsOutside(hop: TransportStatistics, invoiceMs: number): boolean {
  return (
    hop.outsideMs >= THRESHOLDS.outsideMs &&
    (100 * hop.outsideMs) / hop.callMs >= THRESHOLDS.outsidePercent &&
    (100 * hop.outsideMs) / invoiceMs >= THRESHOLDS.outsideOfInvoicePercent
  );
}

function findingFor(hop: TransportStatistics, invoiceMs: number, knee: Evidence[]): Finding {
  const share = (100 * hop.outsideMs) / invoiceMs;
  return {
    name: 'connection-pool',
    title: `Connections to ${hop.service}`,
    subject: hop.service,
    score: scoreOf(50 + share / 2),
    confidence: 'medium',
    evidence: [
      evidence(
        `a call from the gateway to ${hop.service} took ${quantity(hop.callMs)} ms in the last quarter, of which the service worked ${quantity(hop.operationMs)} ms`,
        [],
        'dependency rows of the gateway, operation rows of the service',
      ),
      evidence(`neither of the two was busy, and the wait is ${quantity(share)} % of the invoice`, [
        'gateway.meanMs',
      ]),
      ...knee,
    ],
    next: [
      {
        text: `Allow more connections from the gateway to ${hop.service}, and watch this difference.`,
        knob: null,
      },
    ],
  };
}
