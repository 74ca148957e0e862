import { styleText } from 'node:util';

export interface LayoutOptions {
  /** Whether the output may carry colours; the text is complete without them. */
  color: boolean;
  /** Columns of the output. */
  width: number;
}

type Style = 'bold' | 'dim' | 'green' | 'red' | 'yellow' | 'cyan';

export function painter({ color }: Pick<LayoutOptions, 'color'>): (style: Style, text: string) => string {
  return (style, text) => (color ? styleText(style, text, { validateStream: false }) : text);
}

/** Breaks words at the width; lines after the first begin with as many spaces as the lead is long. */
export function wrap(options: { lead: string; text: string; width: number }): string[] {
  const { lead, text, width } = options;
  const indent = ' '.repeat(lead.length);
  const room = Math.max(20, width - lead.length);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  lines.push(line);
  return lines.map((content, at) => `${at === 0 ? lead : indent}${content}`);
}

export interface Cell {
  text: string;
  style?: Style;
}

/** Columns as wide as their widest cell: the first to the left, the others to the right. */
export function columns(rows: readonly (readonly Cell[])[], options: LayoutOptions): string[] {
  const paint = painter(options);
  const widths = columnWidths(rows);
  return rows.map((row) =>
    row
      .map((cell, at) => {
        const width = widths[at] ?? 0;
        const padded = at === 0 ? cell.text.padEnd(width) : cell.text.padStart(width);
        return cell.style === undefined ? padded : paint(cell.style, padded);
      })
      .join(GAP)
      .trimEnd(),
  );
}

const GAP = '  ';

/** Columns that the table needs. */
export function tableWidth(rows: readonly (readonly Cell[])[]): number {
  const widths = columnWidths(rows);
  return widths.reduce((sum, width) => sum + width, 0) + GAP.length * Math.max(0, widths.length - 1);
}

function columnWidths(rows: readonly (readonly Cell[])[]): number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.text.length);
  }
  return widths;
}

/** A Markdown table; the first column to the left, `right` says for the others. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeCell).join(' | ')} |`;
  const rule = header.map((_, at) => (right.includes(at) ? '--:' : '---'));
  return [line(header), `|${rule.map((cell) => ` ${cell} `).join('|')}|`, ...rows.map(line)].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('\n', ' ');
}
