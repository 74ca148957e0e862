import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Machine } from '../recording/index.js';
import { replaceFile } from '../results/new-folder.js';
import { CiError } from './errors.js';
import type { CiMeasures } from './measure.js';
import type { Measured } from './measured.js';

/** `major.minor`: every minor version of the same major one is read. */
export const BASELINE_SCHEMA_VERSION = '1.0';

const tolerance = z.object({ relativePercent: z.number().min(0), absolute: z.number().min(0) });

const measure = z.object({
  value: z.number(),
  unit: z.string(),
  kind: z.enum(['machine-free', 'time']),
  better: z.enum(['higher', 'lower', 'neutral']),
  tolerance,
  trials: z.int().min(0).optional(),
});

const baseline = z.object({
  schemaVersion: z.string(),
  kind: z.literal('ci-baseline'),
  subject: z.object({ kind: z.enum(['scenario', 'script']), name: z.string() }),
  recordedAt: z.iso.datetime(),
  /** Of a scenario; null of a script, which says its own length. */
  plannedSeconds: z.number().nullable(),
  engine: z.string(),
  machine: z.object({ fingerprint: z.string(), description: z.string() }),
  measures: z.record(z.string(), measure),
});
export type Baseline = z.output<typeof baseline>;

export type Subject = Baseline['subject'];

/** What a baseline was recorded on. Times are judged only where the fingerprint is the same. */
export interface CiMachine extends Machine {
  fingerprint: string;
}

export function describeCiMachine({ cpuModel, cores, os, node }: Machine): string {
  return `${cpuModel}, ${cores} cores, ${os}, Node ${node}`;
}

/** Null when the file does not exist. Throws BASELINE_UNREADABLE and BASELINE_VERSION, naming the field. */
export function readBaseline(file: string): Baseline | null {
  if (!existsSync(file)) return null;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new CiError('BASELINE_UNREADABLE', unreadable(file, (cause as Error).message), { cause });
  }
  refuseOtherVersion(file, value);
  const parsed = baseline.safeParse(value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(
    ({ path, message }) => `${path.map(String).join('.')}: ${message}`,
  );
  throw new CiError('BASELINE_UNREADABLE', unreadable(file, problems.join('; ')), { cause: parsed.error });
}

function unreadable(file: string, problem: string): string {
  return `the baseline ${file} can not be used: ${problem}; restore it, or delete it and record a new one with --update-baseline`;
}

function refuseOtherVersion(file: string, value: unknown): void {
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version !== 'string') return;
  const major = BASELINE_SCHEMA_VERSION.split('.')[0];
  if (version.split('.')[0] === major) return;
  throw new CiError(
    'BASELINE_VERSION',
    `the baseline ${file} has schemaVersion ${version}; this lab reads ${major}.x`,
  );
}

/** A baseline of the measured load. Tolerances that somebody changed in the one before are kept. */
export function baselineOf(input: {
  subject: Subject;
  measured: Measured;
  machine: CiMachine;
  before: Baseline | null;
  now: Date;
}): Baseline {
  const { subject, measured, machine, before, now } = input;
  const measures: CiMeasures = Object.fromEntries(
    Object.entries(measured.measures).map(([name, one]) => [
      name,
      { ...one, tolerance: before?.measures[name]?.tolerance ?? one.tolerance },
    ]),
  );
  return {
    schemaVersion: BASELINE_SCHEMA_VERSION,
    kind: 'ci-baseline',
    subject,
    recordedAt: now.toISOString(),
    plannedSeconds: subject.kind === 'scenario' ? measured.plannedSeconds : null,
    engine: measured.engine.name,
    machine: { fingerprint: machine.fingerprint, description: describeCiMachine(machine) },
    measures,
  };
}

/** Whole or not at all: a reader sees the old or the new one. */
export async function writeBaseline(file: string, value: Baseline): Promise<void> {
  try {
    await replaceFile(file, `${JSON.stringify(value, null, 2)}\n`);
  } catch (cause) {
    throw baselineNotWritable(file, cause);
  }
}

export function baselineNotWritable(file: string, cause: unknown): CiError {
  const reason = (cause as Error).message;
  return new CiError(
    'BASELINE_NOT_WRITABLE',
    `the baseline ${file} can not be written (${reason}); choose another path with --baseline`,
    { cause },
  );
}
