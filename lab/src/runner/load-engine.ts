import type { LoadSecond, LoadStep } from '../recording/index.js';

export type EngineName = 'builtin' | 'k6';

/** How a load ended. */
export interface LoadOutcome {
  exitCode: number;
  meaning: 'passed' | 'thresholds-crossed' | 'interrupted' | 'broken';
  /** What went wrong; empty otherwise. */
  detail: string;
  /** Unix time in milliseconds of the load's start; null when it never started. */
  loadStartMs: number;
  plannedSeconds: number;
  seconds: LoadSecond[];
  steps: LoadStep[];
  summary: unknown;
  generator: { cpuMs: number; eventLoopDelayMaxMs: number; saturated: boolean };
  engine: { name: string; version: string };
}

export interface RunningLoad {
  /** Each second once, shortly after it ended. */
  seconds: AsyncIterable<LoadSecond>;
  /** Never rejects: a load that could not run is `broken`. */
  outcome: Promise<LoadOutcome>;
  /** Ends the load early; the outcome is then `interrupted`. */
  stop(): void;
}

export type StartLoad = (options: {
  engine: EngineName;
  env: Record<string, string>;
  outDir: string;
}) => RunningLoad;
