import { Worker } from 'node:worker_threads';
import { TelemetryError, type TelemetryErrorCode } from '../telemetry/errors.js';
import { ConsoleError } from './errors.js';

/** What the worker is asked, and what it answers. */
export interface WorkerRequest {
  id: number;
  task:
    | { kind: 'query'; folder: string; text: string }
    | { kind: 'check'; text: string }
    | { kind: 'complete'; text: string; position: number };
}
export type WorkerAnswer =
  | { id: number; ok: true; value: unknown }
  | { id: number; ok: false; code: TelemetryErrorCode | null; message: string };

export interface TelemetryTasks {
  run(task: WorkerRequest['task']): Promise<unknown>;
  close(): Promise<void>;
}

/** They wait for one another, so that more would only wait longer. */
const MOST_WAITING = 16;

/** One worker for all; started with the first task, and again after it died. */
export function createTelemetryTasks(): TelemetryTasks {
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let worker: Worker | null = null;
  let sent = 0;

  const start = () => {
    const started = new Worker(new URL('./telemetry-worker.js', import.meta.url));
    started.unref();
    started.on('message', (answer: WorkerAnswer) => {
      const task = waiting.get(answer.id);
      waiting.delete(answer.id);
      if (answer.ok) task?.resolve(answer.value);
      else task?.reject(errorOf(answer));
    });
    const died = (cause: Error) => {
      if (worker !== started) return;
      worker = null;
      for (const { reject } of waiting.values()) reject(cause);
      waiting.clear();
    };
    started.on('error', died);
    started.on('exit', () => died(new Error('the thread for queries ended')));
    return started;
  };

  return {
    run(task) {
      if (waiting.size >= MOST_WAITING) {
        return Promise.reject(new ConsoleError('BUSY', `${MOST_WAITING} queries are waiting already`));
      }
      worker ??= start();
      sent += 1;
      const id = sent;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        worker?.postMessage({ id, task } satisfies WorkerRequest);
      });
    },
    async close() {
      const last = worker;
      worker = null;
      await last?.terminate();
    },
  };
}

function errorOf({ code, message }: Extract<WorkerAnswer, { ok: false }>): Error {
  return code === null ? new Error(message) : new TelemetryError(code, message);
}
