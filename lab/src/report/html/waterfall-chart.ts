import { DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import { quantity } from '../../analysis/quantity.js';
import type { Operation, OperationSpan } from '../../telemetry/operation.js';
import type { DataTable } from './figure.js';
import { html, type Markup } from './markup.js';
import { scaleFromZero } from './scale.js';

interface Line {
  depth: number;
  span: OperationSpan;
}

/** What a transaction adds up to. */
export interface WaterfallSummary {
  queries: number;
  throttled: number;
  waitedMs: number;
  requestCharge: number;
}

const WIDTH = 1000;
const NAMES = 275;
const DETAILS = 245;
const ROW = 17;
const TOP = 26;
/** More lines than a page holds are left out, and counted. */
const MOST_LINES = 90;
const LONGEST_NAME = 44;

/** One transaction on one scale of time: requests, calls, 429s, and waits for a retry as bars of their own. */
export function waterfallChart(id: string, operation: Operation): Markup {
  const all = linesOf(operation);
  const lines = all.slice(0, MOST_LINES);
  const scale = scaleFromZero({
    max: operation.durationMs,
    from: NAMES,
    to: WIDTH - DETAILS,
    count: 6,
  });
  const bottom = TOP + lines.length * ROW;
  const left = all.length - lines.length;
  const hatch = `${id}-hatch`;
  return html`<svg viewBox="0 0 ${WIDTH} ${bottom + (left > 0 ? 40 : 22)}" role="img" aria-labelledby="${id}-title ${id}-description">
<title id="${id}-title">Waterfall of operation ${operation.operationId}</title><desc id="${id}-description">${describe(operation)}</desc>
<pattern id="${hatch}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="wait-ground" width="6" height="6"/><path class="wait-stroke" d="M0 0V6"/></pattern>
<text class="unit" x="4" y="13">ms</text>
${scale.ticks.map((tick) => html`<path class="grid" d="M${round(scale.at(tick))} ${TOP - 6}V${bottom}"/><text class="middle" x="${round(scale.at(tick))}" y="${bottom + 15}">${quantity(tick)}</text>`)}
${lines.map(({ depth, span }, at) => {
  const y = TOP + at * ROW;
  const x = scale.at(Math.max(0, span.startMs));
  const width = Math.max(1.5, scale.at(span.startMs + span.durationMs) - x);
  return html`<text x="${4 + Math.min(depth, 8) * 10}" y="${y + 11}">${cut(nameOf(span, depth))}</text><rect class="${classOf(span)}" ${span.kind === 'wait' ? html`fill="url(#${hatch})"` : null} x="${round(x)}" y="${y + 2}" width="${round(width)}" height="${ROW - 5}"/><text class="value" x="${WIDTH - DETAILS + 10}" y="${y + 11}">${detailOf(span)}</text>
`;
})}
${left > 0 ? html`<text x="4" y="${bottom + 34}">and ${left} more</text>` : null}
<path class="axis" d="M${NAMES} ${TOP - 6}V${bottom}"/>
</svg>`;
}

/** The same as a table, all lines of it. */
export function waterfallTable(operation: Operation): DataTable {
  return {
    header: ['span', 'starts at, ms', 'duration, ms', 'status', 'partition', 'RU', 'attempt'],
    rows: linesOf(operation).map(({ depth, span }) => [
      nameOf(span, depth),
      quantity(span.startMs, 3),
      quantity(span.durationMs, 3),
      span.kind === 'wait' ? 'wait' : span.resultCode,
      span.partition ?? '',
      span.requestCharge === null ? '' : quantity(span.requestCharge, 3),
      span.attempt === null ? '' : String(span.attempt),
    ]),
    note: `Operation ${operation.operationId}`,
  };
}

export function waterfallSummary(operation: Operation): WaterfallSummary {
  const spans = linesOf(operation).map(({ span }) => span);
  const queries = spans.filter((span) => span.type === DEPENDENCY_TYPES.documentQuery);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    queries: queries.length,
    throttled: queries.filter((span) => span.resultCode === '429').length,
    waitedMs: sum(spans.filter((span) => span.kind === 'wait').map((span) => span.durationMs)),
    requestCharge: sum(spans.map((span) => span.requestCharge ?? 0)),
  };
}

/** `825 ms in all: 10 attempts of partition queries, 1 answered 429, 300 ms waited to try again, 29.2 RU`. */
export function describe(operation: Operation): string {
  const { queries, throttled, waitedMs, requestCharge } = waterfallSummary(operation);
  return `${quantity(operation.durationMs, 3)} ms in all: ${queries} attempts of partition queries, ${throttled} answered 429, ${quantity(waitedMs)} ms waited to try again, ${quantity(requestCharge, 3)} RU`;
}

function linesOf({ roots }: Operation): Line[] {
  const flatten = (span: OperationSpan, depth: number): Line[] => [
    { depth, span },
    ...span.children.flatMap((child) => flatten(child, depth + 1)),
  ];
  return roots.flatMap((root) => flatten(root, 0));
}

function nameOf(span: OperationSpan, depth: number): string {
  if (span.kind === 'wait') return 'waiting to try again';
  if (span.kind === 'request') return depth === 0 ? `${span.role}: ${span.name}` : span.name;
  return span.type === DEPENDENCY_TYPES.http ? `call to ${span.target}` : span.type;
}

function classOf(span: OperationSpan): string {
  if (span.kind === 'wait') return 'span wait';
  if (!span.success) return 'span refused';
  return span.kind === 'request' ? 'span request' : 'span call';
}

function detailOf(span: OperationSpan): string {
  const parts = [`${quantity(span.durationMs, 3)} ms`];
  if (span.kind === 'wait') return parts[0] ?? '';
  if (span.resultCode !== '200') parts.push(span.resultCode);
  if (span.partition !== null) parts.push(`partition ${span.partition}`);
  if (span.requestCharge !== null && span.requestCharge > 0) parts.push(`${quantity(span.requestCharge)} RU`);
  if (span.attempt !== null && span.attempt > 1) parts.push(`try ${span.attempt}`);
  return parts.join(', ');
}

const cut = (text: string) => (text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME - 1)}…` : text);
const round = (value: number) => Math.round(value * 10) / 10;
