import { setTimeout as delay } from 'node:timers/promises';
import { StackError } from '../stack/errors.js';
import { HttpStatusError, requestJson } from '../supervisor/http-json.js';

/** Writes what a stand-in receives to `<runsDir>/<id>/telemetry`, from `start` to `stop`. */
export interface TelemetryRecorder {
  /** Throws CONTROL_FAILED. */
  start(id: string): Promise<void>;
  /**
   * Waits until services have delivered what they hold, then ends the recording; its files are complete when this
   * resolves. Returns what became of the items.
   */
  stop(id: string): Promise<RecordingOutcome>;
}

export interface RecordingOutcome {
  requests: number;
  dependencies: number;
  /** Lines that could not be written to disk. */
  lostLines: number;
  /** Whether spans still arrived when the wait was over. */
  settled: boolean;
}

interface ReceiverStats {
  rows: { ingested: { requests: number; dependencies: number } };
  recording: { id: string } | null;
}

/** Services deliver every second; three polls without a new span are more than two of their intervals. */
const POLL_MS = 800;
const QUIET_POLLS = 3;
const LONGEST_WAIT_MS = 20_000;
/** Ending a recording compresses its files. */
const STOP_TIMEOUT_MS = 60_000;

export function telemetryRecorder(endpoint: string): TelemetryRecorder {
  const control = `${endpoint}/-`;
  const stats = () => requestJson<ReceiverStats>(`${control}/stats`);
  const recording = (id: string) => `${control}/recordings/${encodeURIComponent(id)}`;
  const stopRecording = (id: string) =>
    requestJson<{ lostLines: number }>(recording(id), { method: 'DELETE', timeoutMs: STOP_TIMEOUT_MS });
  const begin = async (id: string) => {
    try {
      await requestJson(recording(id), { method: 'PUT' });
    } catch (error) {
      if (!(error instanceof HttpStatusError) || error.status !== 409) throw error;
      // Left behind by a run that was killed: only one run at a time uses a stack.
      const running = (await stats()).recording;
      if (running !== null) await stopRecording(running.id);
      await requestJson(recording(id), { method: 'PUT' });
    }
  };
  let before = { requests: 0, dependencies: 0 };

  return {
    async start(id) {
      try {
        await begin(id);
        before = (await stats()).rows.ingested;
      } catch (cause) {
        throw new StackError(
          'CONTROL_FAILED',
          `the Application Insights stand-in did not begin to record: ${(cause as Error).message}`,
          { cause },
        );
      }
    },
    async stop(id) {
      const { settled, ingested } = await untilQuiet(stats);
      const { lostLines } = await stopRecording(id);
      return {
        requests: ingested.requests - before.requests,
        dependencies: ingested.dependencies - before.dependencies,
        lostLines,
        settled,
      };
    },
  };
}

async function untilQuiet(stats: () => Promise<ReceiverStats>) {
  const deadline = performance.now() + LONGEST_WAIT_MS;
  let ingested = (await stats()).rows.ingested;
  let quiet = 0;
  while (quiet < QUIET_POLLS && performance.now() < deadline) {
    await delay(POLL_MS);
    const now = (await stats()).rows.ingested;
    const same = now.requests === ingested.requests && now.dependencies === ingested.dependencies;
    quiet = same ? quiet + 1 : 0;
    ingested = now;
  }
  return { ingested, settled: quiet >= QUIET_POLLS };
}
