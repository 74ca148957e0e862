import type { ResultFinding } from '../results/result-schema.js';
import { type LayoutOptions, painter, wrap } from './layout.js';

/** Evidence and the next experiment, wrapped and indented. */
export function formatFinding(finding: ResultFinding, options: LayoutOptions): string[] {
  const paint = painter(options);
  const [next] = finding.next;
  return [
    ...finding.evidence.flatMap((one) => wrap({ lead: '    - ', text: one.text, width: options.width })),
    ...(next === undefined
      ? []
      : wrap({ lead: '    next: ', text: next.text, width: options.width }).map((line) =>
          paint('cyan', line),
        )),
  ];
}
