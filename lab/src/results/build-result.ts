import { analyse } from '../analysis/analyse.js';
import { diagnose } from '../diagnosis/diagnose.js';
import { judgeValidity } from '../diagnosis/validity.js';
import type { Recording } from '../recording/recording.js';
import { publishedMeasures } from './article.js';
import { judgeExpected } from './expected.js';
import { RESULT_SCHEMA_VERSION, type RunResult } from './result-schema.js';

/** Analyses, judges and explains a recording. Pure but for reading the published figures. */
export function buildResult(recording: Recording): RunResult {
  const { meta, load } = recording;
  const analysis = analyse(recording);
  const validity = judgeValidity(recording, analysis);
  const diagnosis = diagnose(analysis, validity);
  const { measures } = analysis;
  const test = meta.scenario.article?.test;
  return {
    schemaVersion: RESULT_SCHEMA_VERSION,
    kind: 'run',
    id: meta.id,
    status: meta.status,
    reason: meta.reason,
    startedAt: new Date(meta.loadStartMs).toISOString(),
    loadStartMs: meta.loadStartMs,
    plannedSeconds: meta.plannedSeconds,
    measuredSeconds: analysis.lengthSeconds,
    scenario: meta.scenario,
    knobs: meta.knobs,
    load: load === null ? null : loadOf(load),
    seed: meta.seed,
    telemetry: meta.telemetry,
    telemetryUse: meta.telemetryUse ?? null,
    target: meta.target,
    machine: meta.machine,
    versions: meta.versions,
    calibration: meta.calibration,
    turnedKnobs: meta.turnedKnobs ?? [],
    validity,
    measures,
    lastQuarter: analysis.lastQuarter,
    steps: analysis.steps,
    partitions: analysis.partitions,
    published:
      test === undefined || (meta.turnedKnobs ?? []).length > 0
        ? null
        : { test, measures: publishedMeasures(test) },
    expected: judgeExpected({ meta, measures, diagnosis, valid: validity.valid }),
    diagnosis,
    sealed: false,
  };
}

/** Steps have their own place in a result, and the engine's summary its own file. */
function loadOf(load: NonNullable<Recording['load']>): NonNullable<RunResult['load']> {
  const { profile, thinkTimeSeconds, engine, exitCode, meaning, detail, generator } = load;
  return { profile, thinkTimeSeconds, engine, exitCode, meaning, detail, generator };
}
