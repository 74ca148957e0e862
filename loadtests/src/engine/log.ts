import { formatDuration } from './duration.js';

export type LogLevel = 'debug' | 'info' | 'warning' | 'error';

export interface Logger {
  log(level: LogLevel, message: string, source?: string): void;
}

const LABELS: Record<LogLevel, string> = { debug: 'DEBU', info: 'INFO', warning: 'WARN', error: 'ERRO' };
/** A script that fails in every iteration would otherwise write thousands of equal lines a second. */
const REPEATS_SHOWN = 5;
const WINDOW_MS = 1_000;

export interface LoggerSettings {
  now: () => number;
  startedAtMs: number;
  write: (text: string) => void;
  quiet?: boolean | undefined;
}

/** Lines like k6's: `ERRO[0012] message`. More than five equal lines in a second are counted instead of written. */
export function createLogger({
  now,
  startedAtMs,
  write,
  quiet = false,
}: LoggerSettings): Logger & { flush(): void } {
  const seen = new Map<string, { sinceMs: number; count: number }>();
  const line = (level: LogLevel, message: string) => {
    const seconds = String(Math.floor((now() - startedAtMs) / 1000)).padStart(4, '0');
    write(`${LABELS[level]}[${seconds}] ${message}\n`);
  };
  const close = (key: string, { sinceMs, count }: { sinceMs: number; count: number }) => {
    const hidden = count - REPEATS_SHOWN;
    if (hidden > 0) {
      const [level, text] = key.split('\u0000') as [LogLevel, string];
      line(
        level,
        `${hidden} more within ${formatDuration(Math.round(now() - sinceMs))}: ${text.split('\n')[0]}`,
      );
    }
    seen.delete(key);
  };
  return {
    log(level, message, source) {
      if (level === 'debug' || (quiet && level === 'info' && source === undefined)) return;
      const key = `${level}\u0000${message}`;
      const known = seen.get(key);
      if (known !== undefined && now() - known.sinceMs > WINDOW_MS) close(key, known);
      const entry = seen.get(key) ?? { sinceMs: now(), count: 0 };
      entry.count += 1;
      seen.set(key, entry);
      if (entry.count <= REPEATS_SHOWN)
        line(level, source === undefined ? message : `${message} source=${source}`);
      if (seen.size > 1_000) this.flush();
    },
    flush() {
      for (const [key, entry] of [...seen]) close(key, entry);
    },
  };
}

/** The `console` of scripts. */
export function scriptConsole(logger: Logger): Record<string, (...values: unknown[]) => void> {
  const at =
    (level: LogLevel) =>
    (...values: unknown[]) =>
      logger.log(level, values.map(show).join(' '), 'console');
  return { log: at('info'), info: at('info'), warn: at('warning'), error: at('error'), debug: at('debug') };
}

function show(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value instanceof Error) return String(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
}
