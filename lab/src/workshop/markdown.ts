/** Says where a generated page comes from. */
export const GENERATED =
  '<!-- Generated from lab/scenarios by "lab workshop --write docs/workshop"; a test compares the two. -->';

/** Text of a scenario file in one paragraph. */
export function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}

/** Shown when its line is opened. */
export function folded(summary: string, text: string): string {
  return `<details>\n<summary>${summary}</summary>\n\n${text.trim()}\n\n</details>`;
}
