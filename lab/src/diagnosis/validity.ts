import { OPERATIONS, ROLES } from '@bottleneck-lab/contracts';
import type { Analysis } from '../analysis/analyse.js';
import { operationRows } from '../analysis/operation-measures.js';
import { quantity } from '../analysis/quantity.js';
import { type RowOf, type Timeline, timelineOf } from '../analysis/timeline.js';
import { sumOf } from '../analysis/windows.js';
import type { Recording } from '../recording/recording.js';
import { VALIDITY_LIMITS as LIMITS } from './thresholds.js';

export const VALIDITY_CHECKS = [
  'complete',
  'event-loop-delay',
  'cpu-wait',
  'cpu-steal',
  'machine-busy',
  'load-generator',
  'calibration-drift',
  'littles-law',
] as const;
export type ValidityCheckName = (typeof VALIDITY_CHECKS)[number];

export interface ValidityCheck {
  check: ValidityCheckName;
  /** `null`: there was nothing to judge by. */
  ok: boolean | null;
  /** What was seen, with numbers. */
  text: string;
}

/** Whether a run is a measurement of the system at all. */
export interface Validity {
  valid: boolean;
  checks: ValidityCheck[];
}

/** Each run judges itself, before anybody explains it. */
export function judgeValidity(recording: Recording, analysis: Analysis): Validity {
  const timeline = timelineOf(recording);
  const checks = [
    complete(recording),
    eventLoopDelay(timeline),
    cpuWait(timeline),
    cpuSteal(recording, timeline),
    machineBusy(recording, timeline),
    loadGenerator(recording),
    calibrationDrift(recording, timeline),
    littlesLaw(analysis),
  ];
  return { valid: checks.every((one) => one.ok !== false), checks };
}

function complete({ meta, load }: Recording): ValidityCheck {
  const check = 'complete';
  if (meta.status !== 'complete') {
    return { check, ok: false, text: `the run was ${meta.status}: ${meta.reason || 'no reason given'}` };
  }
  if (load === null) return { check, ok: false, text: 'the load never started' };
  // 99 is k6's exit code for a missed threshold: slow, but a complete load.
  const ok = load.exitCode === 0 || load.exitCode === 99;
  return {
    check,
    ok,
    text: ok ? 'the load ran to its end' : `the load ended with ${load.exitCode}: ${load.meaning}`,
  };
}

/** Only processes without a CPU limit: a quota makes a thread stand still on purpose. */
function eventLoopDelay(timeline: Timeline): ValidityCheck {
  const check = 'event-loop-delay';
  const rows = timeline.rows('process', timeline.load).filter((row) => row.cpuLimitCores === null);
  if (rows.length === 0) return { check, ok: null, text: 'no process without a CPU limit gave rows' };
  const delayed = new Set(
    rows.filter((row) => row.eventLoopDelayMaxMs >= LIMITS.eventLoopDelayMs).map((row) => row.second),
  );
  const percent = percentOf(delayed.size, timeline.lengthSeconds);
  return {
    check,
    ok: percent < LIMITS.delayedSecondsPercent,
    text: `an event loop stood still for ${LIMITS.eventLoopDelayMs} ms or more in ${quantity(percent)} % of the seconds (limit ${LIMITS.delayedSecondsPercent} %)`,
  };
}

/**
 * An event loop that computes is busy for about as long as its process uses CPU. Where it is busy for much longer,
 * the process was ready to run and something else had the processor. The last quarter counts, where most is at stake.
 */
function cpuWait(timeline: Timeline): ValidityCheck {
  const check = 'cpu-wait';
  const lastQuarter = { ...timeline.load, fromSecond: Math.floor(timeline.lengthSeconds * 0.75) };
  const rows = timeline.rows('process', lastQuarter).filter((row) => row.cpuLimitCores === null);
  const busyMs = sumOf(rows.map((row) => row.eventLoopUtilization * 1000));
  if (busyMs === 0) return { check, ok: null, text: 'no process without a CPU limit gave rows' };
  const waitedMs = sumOf(rows.map((row) => Math.max(0, row.eventLoopUtilization * 1000 - row.cpuMs)));
  const percent = percentOf(waitedMs, busyMs);
  return {
    check,
    ok: percent < LIMITS.cpuWaitPercent,
    text: `in the last quarter, busy processes waited ${quantity(percent)} % of their time for a processor (limit ${LIMITS.cpuWaitPercent} %)`,
  };
}

function cpuSteal(recording: Recording, timeline: Timeline): ValidityCheck {
  const check = 'cpu-steal';
  const known = samplesOf(recording, timeline).filter((sample) => sample.stealCores !== null);
  if (known.length === 0) return { check, ok: null, text: 'this system does not tell CPU steal' };
  const cores = sumOf(known.map((sample) => sample.stealCores ?? 0)) / known.length;
  const percent = percentOf(cores, recording.meta.machine.cores);
  return {
    check,
    ok: percent < LIMITS.stealPercent,
    text: `other guests took ${quantity(percent)} % of the processors (limit ${LIMITS.stealPercent} %)`,
  };
}

function machineBusy(recording: Recording, timeline: Timeline): ValidityCheck {
  const check = 'machine-busy';
  const samples = samplesOf(recording, timeline);
  if (samples.length === 0) return { check, ok: null, text: 'the machine was not sampled' };
  const { cores } = recording.meta.machine;
  const full = samples.filter(
    (sample) => percentOf(sample.busyCores + (sample.stealCores ?? 0), cores) >= LIMITS.machineBusyPercent,
  );
  const percent = percentOf(full.length, samples.length);
  const foreign = samples.filter((sample) => sample.foreignCores !== null);
  const others =
    foreign.length === 0
      ? ''
      : `; programs outside the lab used ${quantity(sumOf(foreign.map((one) => one.foreignCores ?? 0)) / foreign.length)} of ${cores} cores`;
  return {
    check,
    ok: percent < LIMITS.fullSecondsPercent,
    text: `all cores were busy in ${quantity(percent)} % of the seconds (limit ${LIMITS.fullSecondsPercent} %)${others}`,
  };
}

function loadGenerator({ load }: Recording): ValidityCheck {
  const check = 'load-generator';
  if (load === null) return { check, ok: null, text: 'the load never started' };
  const { saturated, eventLoopDelayMaxMs } = load.generator;
  if (saturated) return { check, ok: false, text: 'the load generator was saturated' };
  return {
    check,
    ok: eventLoopDelayMaxMs < LIMITS.generatorDelayMs,
    text: `the load generator stood still for ${quantity(eventLoopDelayMaxMs)} ms at most (limit ${quantity(LIMITS.generatorDelayMs)} ms)`,
  };
}

/** Seconds near the ceiling needed to say anything about it. */
const NEAR_CEILING_SECONDS = 3;
/** From this share of the calibrated rate on, what delivery uses tells where it would saturate. */
const NEAR_CEILING = 0.85;

/** Near its limit, a request to the delivery service must cost what its calibration found. */
function calibrationDrift(recording: Recording, timeline: Timeline): ValidityCheck {
  const check = 'calibration-drift';
  const { calibration } = recording.meta;
  if (calibration === null) return { check, ok: null, text: 'nothing was calibrated' };
  const { ceilingRequestsPerSecond: expected, deliveryCpuLimitCores } = calibration;
  const near = nearLimit(recording, { timeline, rate: NEAR_CEILING * expected });
  if (near.length < NEAR_CEILING_SECONDS) {
    return {
      check,
      ok: null,
      text: 'the delivery service was not near its limit for long enough to compare',
    };
  }
  // The kernel counts time at whatever speed a core has, so that its limit is set again while the load runs.
  const limits = near.map(({ row }) =>
    row.cpuLimitSource === 'cgroup' && row.cpuLimitCores !== null ? row.cpuLimitCores : deliveryCpuLimitCores,
  );
  const usedShares = near.map(({ row }, index) => row.cpuMs / 1_000 / (limits[index] as number));
  const ceiling = sumOf(near.map((one) => one.requests)) / sumOf(usedShares);
  const drift = percentOf(ceiling, expected) - 100;
  return {
    check,
    ok: -LIMITS.ceilingLowPercent <= drift && drift <= LIMITS.ceilingHighPercent,
    text: `near its limit, delivery used CPU as if it saturated at ${quantity(ceiling)} req/s where calibration found ${quantity(expected)} (${drift < 0 ? '' : '+'}${quantity(drift)} %, limit -${LIMITS.ceilingLowPercent} to +${LIMITS.ceilingHighPercent} %)${followed(limits)}`,
  };
}

/** Seconds in which delivery was saturated or answered so many requests, until somebody gave it another ceiling. */
function nearLimit({ meta }: Recording, { timeline, rate }: { timeline: Timeline; rate: number }) {
  const turned = meta.turnedKnobs?.find(({ knob }) => knob === 'deliveryRequestsPerSecond');
  const span = {
    ...timeline.load,
    toSecond: Math.min(timeline.load.toSecond, turned?.second ?? Number.POSITIVE_INFINITY),
  };
  const answered = new Map<string, number>();
  for (const row of operationRows(timeline.rows('operation', span), OPERATIONS.getDeliveriesSummary)) {
    answered.set(secondOf(row), (answered.get(secondOf(row)) ?? 0) + row.count);
  }
  return timeline
    .rows('process', span)
    .filter((row) => row.role === ROLES.delivery)
    .map((row) => ({ row, requests: answered.get(secondOf(row)) ?? 0 }))
    .filter(({ row, requests }) => isSaturated(row) || requests >= rate);
}

/** How far a limit was moved to keep the ceiling; empty for one that stayed. */
function followed(limits: readonly number[]): string {
  const [least, most] = [Math.min(...limits), Math.max(...limits)];
  return least === most
    ? ''
    : `; to keep it there, its limit was moved between ${quantity(least, 3)} and ${quantity(most, 3)} cores`;
}

function isSaturated(row: RowOf<'process'>): boolean {
  return row.periods > 0 && row.throttledPeriods / row.periods >= 0.8;
}

function littlesLaw(analysis: Analysis): ValidityCheck {
  const check = 'littles-law';
  const ratio = analysis.measures['load.littleRatio'];
  if (ratio === undefined) return { check, ok: null, text: 'think time or durations are unknown' };
  const offPercent = 100 * (ratio - 1);
  return {
    check,
    ok: Math.abs(offPercent) <= LIMITS.littlePercent,
    text: `throughput × (latency + think time) is ${quantity(ratio, 3)} × users (limit 1 ± ${LIMITS.littlePercent / 100})`,
  };
}

function samplesOf(recording: Recording, timeline: Timeline) {
  const from = timeline.zero;
  return recording.machineSamples.filter(
    (sample) => sample.second >= from && sample.second < from + timeline.lengthSeconds,
  );
}

function percentOf(part: number, whole: number): number {
  return whole === 0 ? 0 : (100 * part) / whole;
}

function secondOf(row: { second: number; instance: string }): string {
  return `${row.instance} ${row.second}`;
}
