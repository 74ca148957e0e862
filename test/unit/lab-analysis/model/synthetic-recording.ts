import { type MeasurementRow, ROLES, SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import { loadRows } from '../../../../lab/src/recording/load-rows.js';
import type { Recording } from '../../../../lab/src/recording/recording.js';
import { KNOB_TABLE } from '../../../../lab/src/scenarios/knob-table.js';
import { applyLength, type Knobs } from '../../../../lab/src/scenarios/knobs.js';
import { findScenarios } from '../../../../lab/src/scenarios/load-scenarios.js';
import type { Scenario } from '../../../../lab/src/scenarios/scenario.js';
import { Model, type ModelOptions } from './model.js';

export type SyntheticOptions = Partial<Omit<ModelOptions, 'knobs' | 'zero'>> & {
  /** Whose knobs to start from. */
  scenario?: string;
  knobs?: Partial<Knobs>;
};

/** Cores of delivery's limit; its cost per request follows from the ceiling that the knobs ask for. */
const DELIVERY_LIMIT_CORES = 0.25;
const ZERO = 1_700_000_000;

/** A recording as a run would leave it, from a seeded model of the application. */
export function syntheticRecording(options: SyntheticOptions = {}): Recording {
  const { scenario: name = 'throttled', knobs: changed, ...rest } = options;
  const [base] = findScenarios([name]);
  if (base === undefined) throw new Error(name);
  const scenario: Scenario = { ...base, knobs: { ...base.knobs, ...changed } };
  const plannedSeconds = rest.plannedSeconds ?? 60;
  const knobs = applyLength(scenario.knobs, plannedSeconds);
  const settings: ModelOptions = {
    knobs,
    seed: 1,
    plannedSeconds,
    maxUsers: 40,
    thinkTimeMs: 300,
    zero: ZERO,
    cpu: {
      gateway: { costMs: 1.5, limitCores: null },
      delivery: {
        costMs: (1000 * DELIVERY_LIMIT_CORES) / knobs.deliveryRequestsPerSecond,
        limitCores: DELIVERY_LIMIT_CORES,
      },
      package: { costMs: 0.8, limitCores: null },
      'drone-utilization': { costMs: 3, limitCores: null },
    },
    hotShare: 0,
    failureShare: 0,
    otherWorkMs: 0,
    connections: 200,
    ...rest,
  };
  const model = new Model(settings);
  model.run();
  return recordingOf({ model, settings, scenario });
}

function recordingOf(run: { model: Model; settings: ModelOptions; scenario: Scenario }): Recording {
  const { model, settings, scenario } = run;
  const { plannedSeconds, seed, knobs } = settings;
  const loadStartMs = ZERO * 1000 + 4;
  return {
    meta: {
      id: `20260101T000000Z-${scenario.name}-${seed.toString(16).padStart(4, '0')}`,
      scenario,
      knobs,
      status: 'complete',
      reason: '',
      loadStartMs,
      plannedSeconds,
      seed,
      telemetry: false,
      target: {
        kind: 'local',
        calibrated: true,
        database: 'stand-in',
        capabilities: Object.fromEntries(
          Object.keys(KNOB_TABLE).map((knob) => [knob, { available: true }]),
        ) as Recording['meta']['target']['capabilities'],
      },
      machine: { cpuModel: 'model', cores: 2, memoryBytes: 2 ** 33, os: 'model', node: 'v20.20.0' },
      versions: { lab: '0.1.0' },
      calibration: {
        deliveryCpuLimitCores: DELIVERY_LIMIT_CORES,
        ceilingRequestsPerSecond: knobs.deliveryRequestsPerSecond,
        source: 'measured',
      },
    },
    rows: [
      ...model.collector.rows(),
      ...loadRows([...model.loadSeconds.values()], loadStartMs),
      ...SERVICE_NAMES.flatMap((service) => processRows(service, run)),
    ],
    load: {
      profile: scenario.load.profile,
      thinkTimeSeconds: settings.thinkTimeMs / 1000,
      engine: { name: 'model', version: '1' },
      exitCode: 0,
      meaning: 'all thresholds passed',
      detail: '',
      steps: [],
      generator: { cpuMs: 1000, eventLoopDelayMaxMs: 12, saturated: false },
      summary: {},
    },
    machineSamples: Array.from({ length: plannedSeconds }, (_, second) => ({
      second: ZERO + second,
      busyCores: 0.6,
      stealCores: 0,
      foreignCores: 0.05,
    })),
  };
}

function processRows(
  service: ServiceName,
  { model, settings }: { model: Model; settings: ModelOptions },
): MeasurementRow[] {
  const { limitCores } = settings.cpu[service];
  return Array.from({ length: settings.plannedSeconds }, (_, second) => {
    const used = model.cpu[service].seconds.get(second) ?? { cpuMs: 0, throttledPeriods: 0, throttledMs: 0 };
    return {
      kind: 'process' as const,
      second: ZERO + second,
      role: ROLES[service],
      instance: `${service}-1`,
      pid: 100,
      cpuMs: used.cpuMs,
      cpuLimitCores: limitCores,
      cpuLimitSource: limitCores === null ? ('none' as const) : ('quota' as const),
      periods: limitCores === null ? 0 : 10,
      throttledPeriods: Math.min(10, used.throttledPeriods),
      throttledMs: used.throttledMs,
      eventLoopUtilization: Math.min(1, used.cpuMs / 1000),
      eventLoopDelayMaxMs: 15,
      residentBytes: 80_000_000,
    };
  });
}
