/** Reads pages of reports as text, without a browser: our own markup is simple enough. */

const VOID = new Set(['meta']);

/** Elements that were opened and not closed, or the other way round; empty for a well-formed page. */
export function unbalancedTags(page: string): string[] {
  const open: string[] = [];
  const body = page.replace(/<style>[\s\S]*?<\/style>/g, '');
  for (const [, slash, name = '', , selfClosed] of body.matchAll(
    /<(\/?)([a-z][a-z0-9]*)((?:\s[^<>]*?)?)(\/?)>/gi,
  )) {
    if (selfClosed === '/' || VOID.has(name)) continue;
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}

/** The markup of one chart with its caption and table. */
export function figureOf(page: string, number: number): string {
  const found = new RegExp(`<figure id="figure-${number}"[\\s\\S]*?</figure>`).exec(page);
  if (found === null) throw new Error(`there is no figure ${number}`);
  return found[0];
}

/** A chart's figures by the titles of their columns. */
export function columnsOf(figure: string): Record<string, string[]> {
  const details = /<details>[\s\S]*<\/details>/.exec(figure)?.[0] ?? '';
  const cells = (row: string) =>
    [...row.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map((cell) => textOf(cell[1] ?? ''));
  const [header = [], ...rows] = [...details.matchAll(/<tr>([\s\S]*?)<\/tr>/g)].map((row) =>
    cells(row[1] ?? ''),
  );
  return Object.fromEntries(header.map((title, at) => [title, rows.map((row) => row[at] ?? '')]));
}

/** What is read on the page, without markup. */
export function textOf(markup: string): string {
  return markup
    .replace(/<style>[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
