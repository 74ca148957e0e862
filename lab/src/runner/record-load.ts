import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { MeasurementRow } from '@bottleneck-lab/contracts';
import type { LoadOutcome, LoadSecond } from '@bottleneck-lab/loadtests';
import type { MachineSample } from '../recording/index.js';
import type { StackFailure } from '../stack/stack-status.js';
import type { Turn } from '../stack/turns.js';
import type { LoadAnnouncement } from './announcement.js';
import { liveView } from './live-view.js';
import { startScenarioLoad } from './load-engine.js';
import { childPids, createMachineSampler } from './machine-sampler.js';
import { createRowCollector } from './row-collector.js';
import type { RunOptions } from './run-scenario.js';
import { everySecond } from './whole-seconds.js';

export interface LoadRecording {
  outcome: LoadOutcome;
  /** A part of the target that died meanwhile. */
  failure: StackFailure | null;
  rows: MeasurementRow[];
  machineSamples: MachineSample[];
  /** Knobs that somebody turned meanwhile. */
  turns: Turn[];
  thinkTimeSeconds: number;
}

/** Sources hand out a second once it is finished, and the last one a little later under load. */
const FINAL_POLL_MS = 10_000;

/** Runs the load and collects every process's rows by the second until the load has ended. */
export async function recordLoad(
  options: RunOptions,
  { runId, announcement }: { runId: string; announcement: LoadAnnouncement },
): Promise<LoadRecording> {
  const { target, scenario, plannedSeconds, seed, engine, signal } = options;
  let pids = [process.pid, ...(await target.pids())];
  const collector = createRowCollector({
    sources: await target.sources(),
    afterSecond: Math.floor(Date.now() / 1000) - 1,
  });
  const sampler = createMachineSampler({ ownPids: () => [...pids, ...childPids(process.pid)] });
  const view = liveView({ plannedSeconds, onSecond: options.onSecond });
  const outDir = mkdtempSync(path.join(os.tmpdir(), 'bottleneck-lab-load-'));
  const { run, thinkTimeSeconds } = startScenarioLoad({
    engine,
    scenario,
    runId,
    plannedSeconds,
    seed,
    outDir,
    gatewayUrl: target.gatewayUrl,
  });
  announcement.control(run);
  const ticks = everySecond(() => {
    sampler.sample();
    void collector.poll().then((rows) => view.addRows(rows, collector.completeSecond()));
  });
  const stopLoad = () => run.stop();
  signal.addEventListener('abort', stopLoad, { once: true });
  const watch = watchTarget(options, stopLoad);
  const turns: Turn[] = [];
  const ended = new AbortController();
  target.watchTurns(ended.signal, (turned) => {
    turns.push(turned);
    options.onTurn?.(turned);
    // A process may have been replaced; the stack's end is noticed by the watch.
    void Promise.all([target.sources(), target.pids()]).then(
      ([sources, own]) => {
        collector.setSources(sources);
        pids = [process.pid, ...own];
      },
      () => {},
    );
  });
  try {
    const [outcome] = await Promise.all([run.outcome, follow(run.seconds, view.addLoadSecond)]);
    await collector.pollUntil(lastSecond(outcome), watch.failure() === null ? FINAL_POLL_MS : 0);
    collector.addDeparted(await target.departedRows(0).catch(() => []));
    return {
      outcome,
      failure: watch.failure(),
      rows: collector.rows,
      machineSamples: sampler.samples,
      turns,
      thinkTimeSeconds,
    };
  } finally {
    ticks.stop();
    watch.stop();
    ended.abort();
    signal.removeEventListener('abort', stopLoad);
    rmSync(outDir, { recursive: true, force: true });
  }
}

function watchTarget({ target, onFailure }: RunOptions, onDeath: () => void) {
  const watching = new AbortController();
  let failure: StackFailure | null = null;
  const died = (what: StackFailure) => {
    failure = what;
    onFailure(what);
    onDeath();
  };
  target.failure(watching.signal).then(died, (error: Error) => {
    if (!watching.signal.aborted) died(targetGone(error));
  });
  return { failure: (): StackFailure | null => failure, stop: () => watching.abort() };
}

/** The stack's own process is gone, perhaps by `lab down`, and with it whoever could have named the cause. */
function targetGone(error: Error): StackFailure {
  return {
    process: 'the stack',
    instance: 'stack',
    description: `was stopped or has died (${error.message})`,
    lastLines: [],
    log: 'stack.log in the folder "logs" of the state directory',
  };
}

async function follow(seconds: AsyncIterable<LoadSecond>, take: (second: LoadSecond) => void): Promise<void> {
  for await (const second of seconds) take(second);
}

/** The last wall-clock second of the load that is finished by now. */
function lastSecond({ seconds }: LoadOutcome): number {
  const finished = Math.floor(Date.now() / 1000) - 1;
  return Math.max(finished, seconds.at(-1)?.second ?? 0);
}
