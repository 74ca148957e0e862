import { type Content, html, type Markup } from './markup.js';
import { DASHES, type Tone } from './tone.js';

/** Anything a figure shows, in numbers: what the picture can't tell to somebody who does not see it. */
export interface DataTable {
  header: readonly string[];
  rows: readonly (readonly string[])[];
  /** What a row is, where that is not plain. */
  note: string;
}

export interface LegendEntry {
  name: string;
  tone: Tone;
  shape: 'line' | 'thin' | 'area' | 'bar';
  /** Drawn thicker than the others. */
  strong: boolean;
}

export interface Figure {
  /** Number of the chart, 1 to 8. */
  number: number;
  /** Takes the whole width of the page: one picture below the other, or two side by side. */
  wide?: 'whole' | 'halves';
  title: string;
  /** What can be read from it, in one or two sentences. */
  reading: string;
  pictures: readonly Content[];
  legend: readonly LegendEntry[];
  table: DataTable | null;
}

export function figure({ number, wide, title, reading, pictures, legend, table }: Figure): Markup {
  return html`<figure id="figure-${number}"${wide === undefined ? null : html` class="wide ${wide}"`}>
<figcaption><h3><span class="number">${number}</span> ${title}</h3><p>${reading}</p></figcaption>
<div class="pictures">${pictures}</div>
${legend.length === 0 ? null : html`<ul class="legend">${legend.map(legendEntry)}</ul>`}
${table === null ? null : dataTable(table)}
</figure>
`;
}

function legendEntry({ name, tone, shape, strong }: LegendEntry): Markup {
  const swatch =
    shape === 'line' || shape === 'thin'
      ? html`<path class="${shape === 'thin' ? 'line thin' : 'line'} ${tone}${strong ? ' strong' : ''}" stroke-dasharray="${shape === 'thin' ? '' : DASHES[tone]}" d="M1 6H27"/>`
      : html`<rect class="${shape} ${tone}" x="1" y="1" width="26" height="10"/>`;
  return html`<li><svg class="swatch" viewBox="0 0 28 12" aria-hidden="true">${swatch}</svg>${name}</li>`;
}

function dataTable(table: DataTable): Markup {
  const { note } = table;
  return html`<details><summary>Figures of this chart</summary>${note === '' ? null : html`<p>${note}</p>`}${numbers(table)}</details>`;
}

/** Figures: the first column names its rows, the others are numbers. */
function numbers({ header, rows }: DataTable): Markup {
  return html`<div class="scroll" tabindex="0" role="group" aria-label="Table: ${header.join(', ')}"><table class="data"><thead><tr>${header.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([
      first,
      ...rest
    ]) => html`<tr><th scope="row">${first ?? ''}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody></table></div>`;
}
