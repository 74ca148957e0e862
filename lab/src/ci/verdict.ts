/** Where a case comes from. */
export type CaseGroup = 'load' | 'threshold' | 'check' | 'expected' | 'baseline' | 'against';

/** One thing that was judged, or could not be: a test case of the JUnit file, a row of the summary. */
export interface CiCase {
  group: CaseGroup;
  name: string;
  /** `undecided`: it should have been judged, and the machine was too busy; `skipped`: it is not judged here. */
  outcome: 'passed' | 'failed' | 'skipped' | 'undecided' | 'error';
  /** What was seen, or why it was not judged. */
  text: string;
  figures?: { reference: number; value: number; unit: string; changePercent: number | null; allowed: string };
}

export const VERDICTS = ['passed', 'failed', 'undecided', 'broken', 'interrupted', 'not-started'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The worst decides; a failure that was seen stands even where something else could not be judged. */
export function verdictOf(cases: readonly CiCase[]): Verdict {
  const has = (outcome: CiCase['outcome']) => cases.some((one) => one.outcome === outcome);
  if (has('error')) return 'broken';
  if (has('failed')) return 'failed';
  return has('undecided') ? 'undecided' : 'passed';
}

/** Failed cases, as the sentences that people are told. */
export function failures(cases: readonly CiCase[]): string[] {
  return cases
    .filter(({ outcome }) => outcome === 'failed' || outcome === 'error')
    .map(({ group, text }) => `${group}: ${text}`);
}
