import { DEPENDENCY_TYPES } from '@bottleneck-lab/contracts';
import type { Operation, OperationSpan } from './operation.js';

export interface WaterfallOptions {
  /** Columns of the output. */
  width: number;
  paint: (style: 'bold' | 'dim' | 'red' | 'yellow' | 'green' | 'cyan', text: string) => string;
}

interface Line {
  depth: number;
  span: OperationSpan;
}

const SHORTEST_BAR = 24;
const LONGEST_NAME = 44;
/** Status, duration and gaps. */
const FIXED_COLUMNS = 20;
const DETAIL_COLUMNS = 28;

/**
 * An operation as lines with bars on one scale of time: what called what, its status, how long it took, and for calls to Cosmos DB the
 * partition, the charge and which attempt it was. Waits after a 429 are drawn with another character and named, so that they are seen
 * without colours too.
 */
export function waterfall(operation: Operation, { width, paint }: WaterfallOptions): string {
  const lines = operation.roots.flatMap((root) => flatten(root, 0));
  const nameWidth = Math.min(LONGEST_NAME, Math.max(...lines.map((line) => nameOf(line).length)));
  const room = Math.max(SHORTEST_BAR, width - nameWidth - FIXED_COLUMNS - DETAIL_COLUMNS);
  const scale = room / Math.max(operation.durationMs, 0.001);
  const drawn = lines.map((line) => {
    const { span } = line;
    const name = cut(nameOf(line), nameWidth);
    const status = span.kind === 'wait' ? 'wait' : span.resultCode;
    const text = `${name}  ${status.padStart(4)}  ${bar(span, { room, scale })} ${milliseconds(span.durationMs).padStart(9)}  ${detailOf(span)}`;
    return paintLine(span, text.trimEnd(), paint);
  });
  return [...header(operation, lines, paint), '', ...drawn].join('\n');
}

function flatten(span: OperationSpan, depth: number): Line[] {
  return [{ depth, span }, ...span.children.flatMap((child) => flatten(child, depth + 1))];
}

function header(operation: Operation, lines: readonly Line[], paint: WaterfallOptions['paint']): string[] {
  const spans = lines.map(({ span }) => span);
  const attempts = spans.filter((span) => span.type === DEPENDENCY_TYPES.documentQuery);
  const throttled = attempts.filter((span) => span.resultCode === '429').length;
  const waitedMs = sum(spans.filter((span) => span.kind === 'wait').map((span) => span.durationMs));
  const charge = sum(spans.map((span) => span.requestCharge ?? 0));
  const [root] = operation.roots;
  const place = [operation.run, operation.scenario, operation.step === '' ? '' : `step ${operation.step}`];
  return [
    `${paint('bold', root?.name ?? 'operation')}  ${operation.operationId}`,
    [operation.startedAt, ...place.filter((part) => part !== '')].join('  '),
    [
      milliseconds(operation.durationMs),
      `${attempts.length} partition queries`,
      `${throttled} answered 429`,
      `${milliseconds(waitedMs)} waited to retry (${Math.round((100 * waitedMs) / operation.durationMs)} %)`,
      `${charge.toFixed(2)} RU`,
    ].join(', '),
  ];
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** A call names the role that answers it; what it became there stands below it. */
function nameOf({ depth, span }: Line): string {
  const indent = '  '.repeat(depth);
  if (span.kind === 'request') return `${indent}${depth === 0 ? `${span.role}: ` : ''}${span.name}`;
  if (span.kind === 'wait') return `${indent}(waiting to retry)`;
  return `${indent}${span.type}${span.type === DEPENDENCY_TYPES.http ? ` to ${span.target}` : ''}`;
}

function bar(span: OperationSpan, { room, scale }: { room: number; scale: number }): string {
  const from = Math.min(room - 1, Math.max(0, Math.floor(span.startMs * scale)));
  const length = Math.min(room - from, Math.max(1, Math.round(span.durationMs * scale)));
  const character = span.kind === 'wait' ? '░' : '█';
  return `|${' '.repeat(from)}${character.repeat(length)}${' '.repeat(room - from - length)}|`;
}

const milliseconds = (ms: number) => `${ms >= 100 ? Math.round(ms) : Math.round(ms * 10) / 10} ms`;

function detailOf({
  kind,
  partition,
  requestCharge,
  attempt,
  retryAfterMs,
  resultCode,
}: OperationSpan): string {
  const parts: string[] = [];
  if (kind === 'wait') return retryAfterMs === null ? '' : `asked to wait ${retryAfterMs} ms`;
  if (partition !== null) parts.push(`partition ${partition}`);
  if (requestCharge !== null && requestCharge > 0) parts.push(`${requestCharge.toFixed(2)} RU`);
  if (attempt !== null && attempt > 1) parts.push(`attempt ${attempt}`);
  if (resultCode === '429') parts.push('throttled');
  return parts.join(', ');
}

function paintLine(span: OperationSpan, text: string, paint: WaterfallOptions['paint']): string {
  if (span.kind === 'wait') return paint('yellow', text);
  if (!span.success) return paint('red', text);
  return span.kind === 'request' ? paint('bold', text) : text;
}

const cut = (text: string, length: number) =>
  (text.length > length ? `${text.slice(0, length - 1)}…` : text).padEnd(length);
