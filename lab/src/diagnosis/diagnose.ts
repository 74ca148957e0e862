import type { Analysis } from '../analysis/analyse.js';
import { quantity } from '../analysis/quantity.js';
import { type Evidence, evidence, type Finding, RULE_CLASSES, type RuleOutcome } from './finding.js';
import { headroomInCurve } from './knee.js';
import { RULES } from './rules.js';
import type { Validity } from './validity.js';

export interface Diagnosis {
  /** Best first. Never empty: without any other there is `none-found`. */
  findings: Finding[];
  /** How every rule came out, found or not. */
  rules: RuleOutcome[];
}

/**
 * Explains a run by the rule set. Pure, and over the measurements only: it never sees the scenario.
 * The first finding is the bottleneck; a run that is not valid has no other first finding than that.
 */
export function diagnose(analysis: Analysis, validity: Validity): Diagnosis {
  const rules = RULES.map((rule) => rule.judge({ analysis, validity }));
  const ranked = RULES.flatMap((rule, at) => {
    const outcome = rules[at];
    const findings = outcome?.outcome === 'found' ? outcome.findings : [];
    return findings.map((finding) => ({ finding, rank: RULE_CLASSES.indexOf(rule.class) }));
  }).sort((a, b) => a.rank - b.rank || b.finding.score - a.finding.score);
  const invalid = ranked[0]?.rank === RULE_CLASSES.indexOf('measurement');
  const findings = ranked.map(
    ({ finding, rank }): Finding =>
      invalid && rank > RULE_CLASSES.indexOf('measurement') ? { ...finding, confidence: 'low' } : finding,
  );
  return { findings: findings.length > 0 ? findings : [nothingFound(analysis, rules)], rules };
}

/** Headroom everywhere: more load, or more data, is the next step. */
function nothingFound(analysis: Analysis, rules: readonly RuleOutcome[]): Finding {
  const lines: Evidence[] = [headroomInCurve(analysis)];
  const partition = analysis.measures['partition.peakPercent'];
  if (partition !== undefined) {
    lines.push(
      evidence(`the hottest physical partition reached ${quantity(partition)} % of its limit`, [
        'partition.peakPercent',
      ]),
    );
  }
  for (const one of analysis.processes) {
    if (one.last5sPercent === null) continue;
    lines.push(
      evidence(`${one.service} used ${quantity(one.last5sPercent)} % of its CPU limit in the last 5 s`, [
        `cpu.${one.service}.last5sPercent`,
      ]),
    );
  }
  const missing = rules.filter((rule) => rule.outcome === 'no-data');
  for (const rule of missing) lines.push(evidence(`rule ${rule.rule} lacks data: ${rule.missing}`, []));
  return {
    name: 'none-found',
    title: 'No bottleneck found',
    subject: '',
    score: 0,
    // A knee without a cause is something that the rules don't know.
    confidence: missing.length === 0 && analysis.measures['load.kneeUsers'] === undefined ? 'high' : 'medium',
    evidence: lines,
    next: [{ text: 'Raise the number of users until throughput no longer follows.', knob: null }],
  };
}
