import type { MeasurementRow } from '@bottleneck-lab/contracts';
import { summarizeDurations } from '../../../../lab/src/recording/durations.js';

type Subject = Record<string, string | number>;
type Counter = { subject: Subject; numbers: Record<string, number>; durationsMs: number[] };

/** Gathers counts and durations per second and subject, and gives them as measurement rows. */
export class RowCollector {
  private readonly cells = new Map<string, Counter>();

  /** Adds to the row of `second` that the other fields of `subject` identify. */
  add(options: { subject: Subject; numbers: Record<string, number>; durationMs?: number }): void {
    const key = Object.values(options.subject).join('|');
    let cell = this.cells.get(key);
    if (cell === undefined) {
      cell = { subject: options.subject, numbers: {}, durationsMs: [] };
      this.cells.set(key, cell);
    }
    for (const [name, value] of Object.entries(options.numbers)) {
      cell.numbers[name] = (cell.numbers[name] ?? 0) + value;
    }
    if (options.durationMs !== undefined) cell.durationsMs.push(options.durationMs);
  }

  rows(): MeasurementRow[] {
    return [...this.cells.values()].map((cell) => {
      const duration =
        cell.durationsMs.length === 0 ? {} : { duration: summarizeDurations(cell.durationsMs) };
      return { ...cell.subject, ...cell.numbers, ...duration } as MeasurementRow;
    });
  }
}
