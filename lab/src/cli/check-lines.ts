import { missedExpectations, type RunResult } from '../results/index.js';

/** What `--check` says. A run that broke off or is not valid is not judged, which is not the same as fine. */
export function checkLines(
  results: readonly RunResult[],
  emphasize: (word: string) => string = (word) => word,
): string[] {
  const missed = results.flatMap(missedExpectations).map((sentence) => `${emphasize('missed')}: ${sentence}`);
  const unjudged = results.filter(({ status, validity }) => status !== 'complete' || !validity.valid);
  if (unjudged.length > 0) {
    const names = unjudged.map(({ scenario }) => scenario.name).join(', ');
    return [...missed, `${emphasize('not judged')}: the expected ranges of ${names}`];
  }
  return missed.length > 0 ? missed : ['no expected range was missed'];
}
