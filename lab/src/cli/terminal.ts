import { styleText } from 'node:util';

/** Where results and progress go. Results are on stdout and pure; everything else is on stderr. */
export interface Terminal {
  /** Whether stdout may carry colours. */
  readonly color: boolean;
  /** Whether progress may be redrawn in place. */
  readonly live: boolean;
  /** Columns of stdout; 100 where there is no terminal. */
  readonly width: number;
  result(text: string): void;
  /** A line of progress. */
  progress(line: string): void;
  /** Replaces the line drawn last; shown on a live terminal only. `short` says the same where `line` is too wide. */
  redraw(line: string, short?: string): void;
  /** Colours for progress. */
  paint(style: PaintStyle, text: string): string;
  /** Colours for results. */
  paintResult(style: PaintStyle, text: string): string;
}
export type PaintStyle = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

interface Output {
  write(text: string): unknown;
  isTTY?: boolean | undefined;
  columns?: number | undefined;
}

const ERASE_LINE = '\r\u001b[2K';

/** NO_COLOR (no-color.org) and CI are respected; without a terminal nothing is coloured or redrawn. */
export function openTerminal(options: { stdout: Output; stderr: Output; env: NodeJS.ProcessEnv }): Terminal {
  const { stdout, stderr, env } = options;
  const plain = (env.NO_COLOR ?? '') !== '' || env.TERM === 'dumb';
  const live = stderr.isTTY === true && env.TERM !== 'dumb' && (env.CI ?? '') === '';
  const color = stdout.isTTY === true && !plain;
  const painter = (enabled: boolean) => (style: PaintStyle, text: string) =>
    enabled ? styleText(style, text, { validateStream: false } as never) : text;
  let drawn = false;

  const erase = () => {
    if (!drawn) return;
    stderr.write(ERASE_LINE);
    drawn = false;
  };
  return {
    color,
    live,
    width: stdout.columns ?? 100,
    result(text) {
      erase();
      stdout.write(text.endsWith('\n') ? text : `${text}\n`);
    },
    progress(line) {
      erase();
      stderr.write(`${line}\n`);
    },
    redraw(line, short = line) {
      if (!live) return;
      // A line that wraps could not be erased again.
      const room = (stderr.columns ?? 80) - 1;
      stderr.write(`${ERASE_LINE}${(line.length <= room ? line : short).slice(0, room)}`);
      drawn = true;
    },
    paint: painter(stderr.isTTY === true && !plain),
    paintResult: painter(color),
  };
}
