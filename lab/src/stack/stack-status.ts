import { z } from 'zod';
import type { Calibration } from '../recording/index.js';
import type { AppliedKnobs } from '../scenarios/index.js';
import { telemetryStatus } from '../telemetry/settings.js';
import { announcedLoad, loadProgress } from './load-board.js';

/** A process of the stack as `lab status` shows it. */
const processStatus = z.object({
  name: z.string(),
  role: z.string(),
  instance: z.string(),
  pid: z.int(),
  url: z.string(),
  /** Where its rows are read; null for a process without an internal port. */
  internalUrl: z.string().nullable(),
  startedAtMs: z.number(),
  log: z.string(),
});
export type ProcessStatus = z.infer<typeof processStatus>;

/** A process that ended without being asked to. */
const stackFailure = z.object({
  process: z.string(),
  instance: z.string(),
  /** For example `was killed by SIGKILL`. */
  description: z.string(),
  lastLines: z.array(z.string()),
  log: z.string(),
});
export type StackFailure = z.infer<typeof stackFailure>;

const databaseStatus = z.object({
  kind: z.enum(['stand-in', 'azure']),
  endpoint: z.string(),
  /** Token of the stand-in's control routes; null on Azure, which has none. */
  controlToken: z.string().nullable(),
  documentsWritten: z.int().nonnegative(),
});

export const stackStatus = z.object({
  state: z.enum(['starting', 'ready', 'failed', 'stopping']),
  pid: z.int(),
  startedAtMs: z.number(),
  seed: z.int(),
  gatewayUrl: z.string(),
  database: databaseStatus,
  /** Null when services send none. */
  telemetry: telemetryStatus.nullable(),
  processes: z.array(processStatus),
  /** Null until a scenario was applied, and while they are hidden. */
  knobs: z.custom<AppliedKnobs>().nullable(),
  /** They were set for a mystery that nobody has solved. */
  knobsHidden: z.boolean().default(false),
  /** The load that runs on it, whoever runs it; null when none does. */
  load: announcedLoad.extend(loadProgress.shape).nullable().default(null),
  calibration: z.custom<Calibration>().nullable(),
  failure: stackFailure.nullable(),
});
export type StackStatus = z.infer<typeof stackStatus>;

/** The content of `stack.json`. */
export const stackFile = z.object({
  version: z.literal(1),
  pid: z.int(),
  startedAtMs: z.number(),
  controlUrl: z.url(),
  token: z.string(),
  gatewayUrl: z.string(),
  processes: z.array(z.object({ name: z.string(), pid: z.int(), url: z.string() })),
});
export type StackFile = z.infer<typeof stackFile>;
