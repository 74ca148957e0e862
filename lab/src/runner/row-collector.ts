import type { MeasurementRow } from '@bottleneck-lab/contracts';
import type { DepartedRows } from '../supervisor/service-supervisor.js';
import type { RowSource } from './row-source.js';

/** Collects rows from all sources; none is taken twice, and none is lost while a source still holds it. */
export interface RowCollector {
  /** Asks every source once, side by side. Resolves with the rows that are new. */
  poll(): Promise<MeasurementRow[]>;
  /** Asks again until every source has given `second`, or the time is up. Returns the sources that have not. */
  pollUntil(second: number, timeoutMs: number): Promise<string[]>;
  /** Rows that a process sent when it ended; what it had given before is left out. */
  addDeparted(departed: readonly DepartedRows[]): void;
  /** From now on these; one that is no longer among them is asked until it does not answer, and waited for no more. */
  setSources(sources: readonly RowSource[]): void;
  readonly rows: MeasurementRow[];
  /** Newest second that every source has given. */
  completeSecond(): number;
}

const POLL_TIMEOUT_MS = 3_000;
const RETRY_MS = 200;

export function createRowCollector(options: {
  sources: readonly RowSource[];
  /** Rows of this second and earlier ones are not wanted. */
  afterSecond: number;
  delay?: (ms: number) => Promise<void>;
}): RowCollector {
  const { afterSecond } = options;
  let { sources } = options;
  let leaving: readonly RowSource[] = [];
  const delay = options.delay ?? ((ms) => new Promise<void>((resolve) => setTimeout(resolve, ms)));
  const cursors = new Map<string, number>();
  const rows: MeasurementRow[] = [];
  const cursorOf = (name: string) => cursors.get(name) ?? afterSecond;

  const pollOne = async (source: RowSource): Promise<MeasurementRow[]> => {
    const since = cursorOf(source.name);
    try {
      const answer = await source.poll(since, POLL_TIMEOUT_MS);
      // A slow earlier answer may arrive after a later one.
      if (cursorOf(source.name) !== since) return [];
      const fresh = answer.rows.filter((row) => row.second > since);
      cursors.set(source.name, Math.max(since, answer.second));
      rows.push(...fresh);
      return fresh;
    } catch {
      // Busy or gone: it holds its rows, the next poll asks for them again, and a death is noticed elsewhere.
      leaving = leaving.filter((one) => one !== source);
      return [];
    }
  };
  const poll = async () => (await Promise.all([...sources, ...leaving].map(pollOne))).flat();

  return {
    rows,
    poll,
    completeSecond: () => Math.min(...sources.map((source) => cursorOf(source.name))),
    async pollUntil(second, timeoutMs) {
      const deadline = performance.now() + timeoutMs;
      for (;;) {
        await poll();
        const behind = sources.filter((source) => cursorOf(source.name) < second).map(({ name }) => name);
        if (behind.length === 0 || performance.now() > deadline) return behind;
        await delay(RETRY_MS);
      }
    },
    setSources(next) {
      const names = new Set(next.map((source) => source.name));
      const known = new Map(sources.map((source) => [source.name, source]));
      leaving = [...leaving, ...sources].filter((source) => !names.has(source.name));
      sources = next.map((source) => known.get(source.name) ?? source);
    },
    addDeparted(departed) {
      for (const { instance, rows: last } of departed) {
        const since = cursorOf(instance);
        rows.push(...last.filter((row) => row.second > since));
        const newest = last.reduce((most, row) => Math.max(most, row.second), since);
        cursors.set(instance, newest);
      }
    },
  };
}
