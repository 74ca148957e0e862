import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LogLevel } from '../../../loadtests/src/engine/log.js';
import type { OptionOverrides } from '../../../loadtests/src/engine/options.js';
import type { SampleListener } from '../../../loadtests/src/engine/results/metric.js';
import { type SummaryData, summaryData } from '../../../loadtests/src/engine/results/summary-data.js';
import { loadScript } from '../../../loadtests/src/engine/script.js';
import { type TestOutcome, TestRun } from '../../../loadtests/src/engine/test-run.js';
import { VirtualClock } from './virtual-clock.js';

export interface ScriptResult {
  readonly outcome: TestOutcome;
  readonly test: TestRun;
  readonly summary: SummaryData;
  /** Lines like `error: text`. */
  readonly log: string[];
  readonly samples: { metric: string; value: number; tags: Record<string, string>; atMs: number }[];
}

export interface ScriptSettings {
  readonly overrides?: OptionOverrides;
  readonly env?: Record<string, string>;
  /** Further files beside the script. */
  readonly files?: Record<string, string>;
  readonly whileRunning?: (test: TestRun, clock: VirtualClock) => void;
}

/** A folder with the script and its files, removed after the test. */
export function writeScript(source: string, files: Record<string, string> = {}): string {
  const directory = mkdtempSync(join(tmpdir(), 'load-script-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  const path = join(directory, 'script.js');
  writeFileSync(path, source);
  return path;
}

/** Runs a script that makes no requests in virtual time. */
export async function runScript(source: string, settings: ScriptSettings = {}): Promise<ScriptResult> {
  const { overrides = {}, env = {}, files = {}, whileRunning } = settings;
  const clock = new VirtualClock();
  const startMs = clock.now();
  const log: string[] = [];
  const samples: ScriptResult['samples'] = [];
  const listener: SampleListener = (metric, value, tags, timeMs) =>
    samples.push({ metric: metric.name, value, tags: { ...tags.values }, atMs: timeMs - startMs });
  const logger = { log: (level: LogLevel, text: string) => void log.push(`${level}: ${text}`) };
  const script = await loadScript(writeScript(source, files));
  const test = new TestRun({ script, env, overrides, clock, logger, listener });
  test.prepare();
  const running = test.run();
  whileRunning?.(test, clock);
  const outcome = await clock.runUntil(running);
  const summary = summaryData({
    metrics: test.state.metrics,
    checks: test.state.checks,
    verdicts: outcome.verdicts,
    trendStats: test.options.summaryTrendStats,
    timeUnit: '',
    noColor: true,
    isStdOutTTY: false,
    isStdErrTTY: false,
    durationMs: outcome.durationMs,
    setupData: outcome.setupData,
  });
  return { outcome, test, summary, log, samples };
}

/** Value of a counter, 0 when it was never added to. */
export function countOf(result: ScriptResult, metric: string): number {
  return result.summary.metrics[metric]?.values.count ?? 0;
}
