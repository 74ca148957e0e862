import type { ReportTable } from '../report-tables.js';
import { type Content, html, Markup } from './markup.js';
import { STYLE } from './style.js';

/**
 * A page that needs nothing but itself: no script, no font, no address is asked for, and the policy in its head keeps
 * it so even if a name in a run tried.
 */
export function page(title: string, body: Content): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="bottleneck-lab">
<title>${title}</title>
<style>${new Markup(STYLE)}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`.text;
}

/** A section with one table; nothing where there is no table. */
export function tableSection(table: ReportTable | null): Markup | null {
  if (table === null) return null;
  return html`<section><h2>${table.title}</h2>
${table.lead === '' ? null : html`<p>${table.lead}</p>`}
${reportTable(table)}
</section>`;
}

export function reportTable({ header, rows, right, codeNames }: ReportTable): Markup {
  const side = (at: number) => (right.includes(at) ? html` class="right"` : null);
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table: ${header.filter((cell) => cell !== '').join(', ')}"><table><thead><tr>${header.map((cell, at) => html`<th scope="col"${side(at)}>${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell, at) => {
      if (at === 0)
        return html`<th scope="row">${codeNames && cell.includes('.') ? html`<code>${cell}</code>` : cell}</th>`;
      return html`<td${side(at)}>${outcome(cell)}</td>`;
    })}</tr>
`,
  )}</tbody></table></div>`;
}

/** Words that say how something came out are coloured, and stay readable without. */
const OUTCOMES: Record<string, string> = { met: 'met', ok: 'met', missed: 'missed', failed: 'missed' };

function outcome(cell: string): Content {
  const kind = OUTCOMES[cell];
  return kind === undefined ? cell : html`<span class="${kind}">${cell}</span>`;
}
