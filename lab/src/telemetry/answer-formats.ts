import type { QueryAnswer } from './telemetry-source.js';

/** Cells longer than this are cut in tables, so that one value does not push all others away. */
const WIDEST_CELL = 60;

/** A value as a table shows it: nothing for null, dynamic values as JSON. */
function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'object') return JSON.stringify(value);
  return String(value);
}

function isNumeric(type: string): boolean {
  return type === 'int' || type === 'long' || type === 'real';
}

/** Columns as wide as their longest cell; numbers to the right, with thousands separated. */
export function answerTable({ columns, rows }: QueryAnswer): string {
  if (columns.length === 0) return '(no columns)';
  const numeric = columns.map(({ type }) => isNumeric(type));
  const texts = rows.map((row) =>
    row.map((value, at) => {
      const text =
        numeric[at] && typeof value === 'number' ? grouped(value) : cellText(value).replace(/\s+/g, ' ');
      return text.length > WIDEST_CELL ? `${text.slice(0, WIDEST_CELL - 1)}…` : text;
    }),
  );
  const widths = columns.map(({ name }, at) =>
    Math.max(name.length, ...texts.map((row) => (row[at] as string).length)),
  );
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) =>
        numeric[at] ? cell.padStart(widths[at] as number) : cell.padEnd(widths[at] as number),
      )
      .join('  ')
      .trimEnd();
  return [
    line(columns.map(({ name }) => name)),
    ...texts.map(line),
    `(${rows.length} ${rows.length === 1 ? 'row' : 'rows'})`,
  ].join('\n');
}

/** `12345.678` is `12,345.678`; nothing is rounded. */
export function grouped(value: number): string {
  const [whole = '', fraction] = String(value).split('.');
  if (!/^-?\d+$/.test(whole)) return String(value);
  const separated = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? separated : `${separated}.${fraction}`;
}

/** RFC 4180: CRLF, fields with commas, quotes or line breaks in quotes. */
export function answerCsv({ columns, rows }: QueryAnswer): string {
  const field = (value: unknown) => {
    const text = cellText(value);
    return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [columns.map(({ name }) => name), ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}
