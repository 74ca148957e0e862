import { writeFileSync } from 'node:fs';

export interface SummaryStreams {
  stdout(text: string): void;
  stderr(text: string): void;
  /** A file could not be written; like k6, the test's exit code stays as it is. */
  failed(message: string): void;
}

/** Writes what handleSummary() has returned: `stdout`, `stderr`, or paths. Directories are not made. */
export function writeSummary(contents: Record<string, unknown>, streams: SummaryStreams): void {
  for (const [destination, content] of Object.entries(contents)) {
    const bytes = toBytes(content);
    if (bytes === undefined) {
      streams.failed(`handleSummary(): '${destination}' must be text or an ArrayBuffer`);
    } else if (destination === 'stdout') {
      streams.stdout(bytes.toString());
    } else if (destination === 'stderr') {
      streams.stderr(bytes.toString());
    } else {
      try {
        writeFileSync(destination, bytes);
      } catch (error) {
        streams.failed(`handleSummary(): ${(error as Error).message}`);
      }
    }
  }
}

function toBytes(content: unknown): string | Buffer | undefined {
  if (typeof content === 'string') return content;
  return content instanceof ArrayBuffer ? Buffer.from(content) : undefined;
}
