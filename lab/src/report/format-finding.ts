import type { ResultFinding } from '../results/result-schema.js';
import { type LayoutOptions, painter, wrap } from './layout.js';

/** A sentence, and the query that shows it where there is telemetry to ask. */
export function evidenceText(evidence: ResultFinding['evidence'][number], telemetry: boolean): string {
  return telemetry && evidence.query !== null
    ? `${evidence.text} (lab query ${evidence.query})`
    : evidence.text;
}

/** Evidence and the next experiment, wrapped and indented. */
export function formatFinding(
  finding: ResultFinding,
  options: LayoutOptions & { telemetry: boolean },
): string[] {
  const { telemetry } = options;
  const paint = painter(options);
  const [next] = finding.next;
  return [
    ...finding.evidence.flatMap((one) =>
      wrap({ lead: '    - ', text: evidenceText(one, telemetry), width: options.width }),
    ),
    ...(next === undefined
      ? []
      : wrap({ lead: '    next: ', text: next.text, width: options.width }).map((line) =>
          paint('cyan', line),
        )),
  ];
}
