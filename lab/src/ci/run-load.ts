import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { LoadOutcome, LoadRun } from '@bottleneck-lab/loadtests';

/** Starts one load on a URL; the folder is empty and for the engine's files. */
export type StartLoad = (url: string, outDir: string) => LoadRun;

export interface LoadProgress {
  /** Seconds of this load so far. */
  elapsedSeconds: number;
  users: number;
  requests: number;
  failed: number;
}

/** Runs a load to its end and leaves nothing behind. Never rejects: what went wrong is in the outcome. */
export async function runLoad(options: {
  start: StartLoad;
  url: string;
  signal: AbortSignal;
  onSecond: (progress: LoadProgress) => void;
}): Promise<LoadOutcome> {
  const { start, url, signal, onSecond } = options;
  const outDir = mkdtempSync(path.join(os.tmpdir(), 'lab-ci-'));
  try {
    const run = start(url, outDir);
    const stop = () => run.stop();
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    let elapsedSeconds = 0;
    for await (const { users, requests, failed } of run.seconds) {
      onSecond({ elapsedSeconds: ++elapsedSeconds, users, requests, failed });
    }
    signal.removeEventListener('abort', stop);
    return await run.outcome;
  } finally {
    rmSync(outDir, { recursive: true, force: true });
  }
}
