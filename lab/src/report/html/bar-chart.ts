import { quantity } from '../../analysis/quantity.js';
import { html, type Markup } from './markup.js';
import { scaleFromZero } from './scale.js';
import type { Tone } from './tone.js';

export interface BarChart {
  /** Unique on the page. */
  id: string;
  title: string;
  description: string;
  unit: string;
  /** From top to bottom; the bars of one group lie together. */
  groups: readonly { name: string; bars: readonly { value: number | null; tone: Tone; label: string }[] }[];
}

const WIDTH = 640;
const NAMES = 130;
const VALUES = 120;
const BAR = 15;
const GAP = 9;
const TOP = 24;

/** Lying bars from 0, each with its value beside it. */
export function barChart({ id, title, description, unit, groups }: BarChart): Markup {
  const values = groups.flatMap((group) => group.bars.map((bar) => bar.value ?? 0));
  const scale = scaleFromZero({ max: Math.max(0, ...values), from: NAMES, to: WIDTH - VALUES, count: 5 });
  let y = TOP;
  const drawn = groups.map((group) => {
    const from = y;
    y += group.bars.length * BAR + GAP;
    return { ...group, y: from };
  });
  const bottom = y - GAP + 3;
  return html`<svg viewBox="0 0 ${WIDTH} ${bottom + 20}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">${title}</title><desc id="${id}-description">${description}</desc>
<text class="unit" x="4" y="13">${unit}</text>
${scale.ticks.map((tick) => html`<path class="grid" d="M${round(scale.at(tick))} ${TOP - 4}V${bottom}"/><text class="middle" x="${round(scale.at(tick))}" y="${bottom + 15}">${quantity(tick)}</text>`)}
${drawn.map(
  (
    group,
  ) => html`<text class="end" x="${NAMES - 8}" y="${group.y + (group.bars.length * BAR) / 2 + 4}">${group.name}</text>
${group.bars.map(({ value, tone, label }, at) => {
  const top = group.y + at * BAR;
  const end = round(scale.at(value ?? 0));
  return html`${value === null ? null : html`<rect class="bar ${tone}" x="${NAMES}" y="${top + 1}" width="${round(end - NAMES)}" height="${BAR - 3}"/>`}<text class="value" x="${end + 5}" y="${top + 11}">${value === null ? 'not measured' : quantity(value, 3)}${label === '' ? '' : ` ${label}`}</text>
`;
})}`,
)}
<path class="axis" d="M${NAMES} ${TOP - 4}V${bottom}"/>
</svg>`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
