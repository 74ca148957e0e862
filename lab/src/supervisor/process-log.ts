import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';

const KEPT_LINES = 20;
const LONGEST_LINE = 2_000;

/** Writes a child's output to a file and keeps the last lines, so that a death can be reported with its cause. */
export interface ProcessLog {
  readonly path: string;
  /** The last lines printed, oldest first; an unfinished one included. */
  lastLines(): string[];
  attach(stream: Readable | null): void;
  /** A line of the supervisor's own, for example why a process could not be started. */
  add(line: string): void;
  close(): void;
}

export function openProcessLog(path: string): ProcessLog {
  const file = createWriteStream(path, { flags: 'a' });
  // A full disk must not end the stack: the lines in memory are still there.
  file.on('error', () => {});
  const lines: string[] = [];
  const unfinished = new Map<Readable, string>();

  const keep = (line: string) => {
    if (line.trim() === '') return;
    lines.push(line.slice(0, LONGEST_LINE));
    if (lines.length > KEPT_LINES) lines.shift();
  };

  return {
    path,
    lastLines: () =>
      [...lines, ...[...unfinished.values()].filter((line) => line.trim() !== '')].slice(-KEPT_LINES),
    attach(stream) {
      if (stream === null) return;
      stream.setEncoding('utf8');
      stream.on('data', (chunk: string) => {
        file.write(chunk);
        const parts = ((unfinished.get(stream) ?? '') + chunk).split(/\r?\n/);
        unfinished.set(stream, (parts.pop() ?? '').slice(-LONGEST_LINE));
        for (const line of parts) keep(line);
      });
    },
    add(line) {
      file.write(`${line}\n`);
      keep(line);
    },
    close: () => file.end(),
  };
}
