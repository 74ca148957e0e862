import { readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type MeasurementRow, measurementRow } from '@bottleneck-lab/contracts';
import type { z } from 'zod';
import type { Recording } from '../recording/recording.js';
import { ResultError } from './errors.js';
import {
  type ProgressionResult,
  progressionResult,
  RESULT_SCHEMA_VERSION,
  type RunResult,
  runResult,
} from './result-schema.js';
import { PROGRESSION_FILES, RUN_FILES } from './write-run.js';

/** `result.json` of a run's folder, checked. */
export function readResult(folder: string): RunResult {
  return readChecked(path.join(folder, RUN_FILES.result), runResult);
}

/** `progression.json` of a progression's folder, checked. */
export function readProgression(folder: string): ProgressionResult {
  return readChecked(path.join(folder, PROGRESSION_FILES.result), progressionResult);
}

function readChecked<Value>(file: string, schema: z.ZodType<Value>): Value {
  const parsed = schema.safeParse(readVersioned(file));
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => describe(file, issue));
  throw new ResultError('RESULT_UNREADABLE', lines.join('\n'), { cause: parsed.error });
}

/** A run's recording with all its rows, as `buildResult` takes it. */
export function readRecording(folder: string): Recording {
  const file = path.join(folder, RUN_FILES.recording);
  const { meta, load, machineSamples } = readVersioned(file) as unknown as Recording;
  if (meta === undefined || load === undefined || !Array.isArray(machineSamples)) {
    throw new ResultError('RESULT_UNREADABLE', `${file}: meta, load or machineSamples is missing`);
  }
  const summary = readJson(path.join(folder, RUN_FILES.loadSummary));
  return {
    meta,
    load: load === null ? null : { ...load, summary },
    machineSamples,
    rows: readRows(path.join(folder, RUN_FILES.rows)),
  };
}

function readRows(file: string): MeasurementRow[] {
  const text = attempt(file, () => gunzipSync(readFileSync(file)).toString('utf8'));
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, at) => {
      const parsed = measurementRow.safeParse(attempt(`${file}, line ${at + 1}`, () => JSON.parse(line)));
      if (parsed.success) return parsed.data;
      throw new ResultError('RESULT_UNREADABLE', `${file}, line ${at + 1} is no measurement row`, {
        cause: parsed.error,
      });
    });
}

function readVersioned(file: string): Record<string, unknown> {
  const value = readJson(file);
  if (typeof value !== 'object' || value === null || !('schemaVersion' in value)) {
    throw new ResultError('RESULT_UNREADABLE', `${file}: schemaVersion is missing`);
  }
  const version = String(value.schemaVersion);
  const [major] = RESULT_SCHEMA_VERSION.split('.');
  if (version.split('.')[0] !== major) {
    throw new ResultError(
      'RESULT_VERSION',
      `${file}: schemaVersion is ${version}; this lab reads ${major}.x`,
    );
  }
  return value as Record<string, unknown>;
}

function readJson(file: string): unknown {
  return attempt(file, () => JSON.parse(readFileSync(file, 'utf8')));
}

function attempt<Value>(file: string, read: () => Value): Value {
  try {
    return read();
  } catch (cause) {
    throw new ResultError('RESULT_UNREADABLE', `${file}: ${(cause as Error).message}`, { cause });
  }
}

function describe(file: string, issue: z.core.$ZodIssue): string {
  return `${file}: ${issue.path.map(String).join('.')}: ${issue.message}`;
}
