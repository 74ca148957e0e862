import { z } from 'zod';
import { VALIDITY_CHECKS } from '../diagnosis/validity.js';

/** `major.minor`: readers accept every minor version of their major one and ignore fields they don't know. */
export const RESULT_SCHEMA_VERSION = '1.3';

const measures = z.record(z.string(), z.number());
const span = { fromSecond: z.number(), toSecond: z.number() };

const findingName = z.enum([
  'throttling',
  'serial-fan-out',
  'cross-partition-cost',
  'hot-partition',
  'cpu-saturation',
  'connection-pool',
  'errors',
  'none-found',
  'invalid-run',
  'generator-saturated',
]);

const finding = z.object({
  name: findingName,
  title: z.string(),
  subject: z.string(),
  score: z.number(),
  confidence: z.enum(['high', 'medium', 'low']),
  evidence: z.array(
    z.object({
      text: z.string(),
      measures: z.array(z.string()),
      rows: z.string(),
      /** Since 1.1: the query of the library that shows it from telemetry; `null` where telemetry can't. */
      query: z.string().nullable().default(null),
    }),
  ),
  next: z.array(z.object({ text: z.string(), knob: z.string().nullable() })),
});

const ruleOutcome = z.discriminatedUnion('outcome', [
  z.object({ rule: findingName, outcome: z.literal('found'), findings: z.array(finding) }),
  z.object({ rule: findingName, outcome: z.literal('not-found'), because: z.string() }),
  z.object({ rule: findingName, outcome: z.literal('no-data'), missing: z.string() }),
]);

const latency = z.object({ meanMs: z.number(), coefficientOfVariation: z.number() });

const knobs = z.object({
  ruPerSecond: z.number(),
  physicalPartitions: z.number(),
  queryFanout: z.enum(['serial', 'parallel']),
  partitionKey: z.enum(['deliveryId', 'ownerId']),
  queryBaseRu: z.number(),
  burstSeconds: z.number(),
  queryLatency: latency,
  pointReadLatency: latency,
  deliveryRequestsPerSecond: z.number(),
  /** Since 1.2. */
  deliveryReplicas: z.number().default(1),
});

const expectedRange = z.object({
  measure: z.string(),
  unit: z.string(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  value: z.number().nullable(),
  /** `null`: not judged; `reason` says why. */
  ok: z.boolean().nullable(),
  reason: z.string(),
});

/** `result.json` of one run; docs/reference/result-json.md explains each field. */
export const runResult = z.object({
  schemaVersion: z.string(),
  kind: z.literal('run'),
  id: z.string(),
  status: z.enum(['complete', 'interrupted', 'broken']),
  reason: z.string(),
  startedAt: z.iso.datetime(),
  loadStartMs: z.number(),
  plannedSeconds: z.number(),
  measuredSeconds: z.number(),
  scenario: z.looseObject({
    name: z.string(),
    title: z.string(),
    order: z.number(),
    load: z
      .looseObject({
        profile: z.string(),
        maxUsers: z.number().optional(),
        hotOwnerShare: z.number().optional(),
      })
      .optional(),
  }),
  knobs,
  load: z
    .object({
      profile: z.string(),
      thinkTimeSeconds: z.number(),
      engine: z.object({ name: z.string(), version: z.string() }),
      exitCode: z.number(),
      meaning: z.string(),
      detail: z.string(),
      generator: z.object({ cpuMs: z.number(), eventLoopDelayMaxMs: z.number(), saturated: z.boolean() }),
    })
    .nullable(),
  seed: z.number(),
  telemetry: z.boolean(),
  /** Since 1.1; `null` without telemetry, and where nobody can tell. */
  telemetryUse: z
    .object({
      receiver: z.enum(['stand-in', 'azure']),
      sdk: z.enum(['applicationinsights', 'otlp']),
      samplingRatio: z.number(),
    })
    .nullable()
    .default(null),
  target: z.object({
    kind: z.enum(['local', 'compose', 'kubernetes', 'attach']),
    calibrated: z.boolean(),
    database: z.enum(['stand-in', 'azure']),
    capabilities: z.record(
      z.string(),
      z.union([
        z.object({ available: z.literal(true) }),
        z.object({ available: z.literal(false), reason: z.string() }),
      ]),
    ),
  }),
  machine: z.object({
    cpuModel: z.string(),
    cores: z.number(),
    memoryBytes: z.number(),
    os: z.string(),
    node: z.string(),
  }),
  versions: z.record(z.string(), z.string()),
  calibration: z
    .object({
      deliveryCpuLimitCores: z.number(),
      ceilingRequestsPerSecond: z.number(),
      source: z.enum(['measured', 'cached', 'given']),
    })
    .nullable(),
  /** Since 1.2. */
  turnedKnobs: z
    .array(
      z.object({
        second: z.number(),
        knob: z.string(),
        from: z.union([z.number(), z.string()]),
        to: z.union([z.number(), z.string()]),
      }),
    )
    .default([]),
  validity: z.object({
    valid: z.boolean(),
    checks: z.array(
      z.object({ check: z.enum(VALIDITY_CHECKS), ok: z.boolean().nullable(), text: z.string() }),
    ),
  }),
  measures,
  lastQuarter: measures,
  steps: z.array(z.object({ name: z.string(), ...span, users: z.number(), measures })),
  partitions: z.array(
    z.object({
      container: z.string(),
      partition: z.string(),
      requests: z.number(),
      throttled: z.number(),
      requestUnits: z.number(),
      limitRuPerSecond: z.number(),
      peakRuPerSecond: z.number(),
      peakSecond: z.number(),
      sustainedRuPerSecond: z.number(),
      firstThrottledSecond: z.number().nullable(),
    }),
  ),
  /** The article's figures under the names of the measures; `null` for a scenario it does not have, and where knobs were turned. */
  published: z.object({ test: z.number(), measures }).nullable(),
  expected: z
    .object({
      bottleneck: z.object({ expected: findingName, found: findingName, ok: z.boolean().nullable() }),
      measures: z.array(expectedRange),
    })
    .nullable(),
  /** Without findings and rules only in a sealed run. */
  diagnosis: z.object({ findings: z.array(finding), rules: z.array(ruleOutcome) }),
  /** Since 1.3: what was concluded is left out until somebody has found the bottleneck. */
  sealed: z.boolean().default(false),
});
export type RunResult = z.output<typeof runResult>;
export type ExpectedRange = z.output<typeof expectedRange>;
export type ResultFinding = z.output<typeof finding>;

/** `progression.json`: runs one after another, best read together. */
export const progressionResult = z.object({
  schemaVersion: z.string(),
  kind: z.literal('progression'),
  id: z.string(),
  runs: z.array(
    z.object({
      id: z.string(),
      scenario: z.string(),
      status: z.enum(['complete', 'interrupted', 'broken']),
      valid: z.boolean(),
      /** `null` in a sealed run. */
      bottleneck: findingName.nullable(),
      measures,
    }),
  ),
});
export type ProgressionResult = z.output<typeof progressionResult>;
