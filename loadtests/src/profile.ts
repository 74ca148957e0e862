import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { LoadError } from './engine/errors.js';

/** Absolute path of the step-load script that every engine runs. */
export const STEP_LOAD_SCRIPT = fileURLToPath(new URL('../scripts/step-load.ts', import.meta.url));

const PROFILES_DIRECTORY = fileURLToPath(new URL('../profiles/', import.meta.url));
const SHARE_TOLERANCE = 1e-6;

const users = z.int().min(0).max(10_000);

const stage = z.strictObject({
  /** Part of the test's length, 0 to 1. */
  share: z.number().gt(0).max(1),
  /** Users (closed model) or arrivals per second (open model) at the stage's end. */
  target: users,
  /** Reached at once and then held, instead of in a straight line. */
  jump: z.boolean().default(false),
});

const shape = {
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'must be lower-case letters, digits and hyphens'),
  title: z.string().min(1),
  description: z.string().min(1),
  /** Pause of a user after each request, seconds. */
  thinkTimeSeconds: z.number().min(0).max(3600),
  /** Users or arrivals per second at the start. */
  start: users,
  stages: z
    .array(stage)
    .min(1)
    .refine(
      (stages) => Math.abs(stages.reduce((sum, { share }) => sum + share, 0) - 1) < SHARE_TOLERANCE,
      'shares must add up to 1',
    ),
  /** Equal slices of the test, or one step per stage: the parts that results are reported for. */
  steps: z.union([z.int().min(1).max(100), z.literal('stages')]),
};

const profileSchema = z.discriminatedUnion('model', [
  z.strictObject({ ...shape, model: z.literal('closed') }),
  z
    .strictObject({
      ...shape,
      model: z.literal('open'),
      /** Users made before the load, and the most that are made while it runs. */
      preAllocatedUsers: users,
      maxUsers: users.min(1),
    })
    .refine(({ preAllocatedUsers, maxUsers }) => preAllocatedUsers <= maxUsers, {
      path: ['maxUsers'],
      message: 'must not be below preAllocatedUsers',
    }),
]);

/** A load profile: the shape of a load as data, for any length of test. */
export type Profile = z.output<typeof profileSchema> & { readonly path: string };

/** The profiles that come with the package, by name. */
export function listProfiles(): Profile[] {
  return readdirSync(PROFILES_DIRECTORY)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => readProfile(join(PROFILES_DIRECTORY, file)));
}

/** A profile by its name or the path of a file; errors name the field and what is allowed. */
export function loadProfile(nameOrPath: string): Profile {
  if (/[\\/]|\.json$/.test(nameOrPath) || isAbsolute(nameOrPath)) {
    const path = resolve(nameOrPath);
    if (!existsSync(path)) throw invalid(`the load profile ${nameOrPath} does not exist`);
    return readProfile(path);
  }
  const known = listProfiles();
  const found = known.find((profile) => profile.name === nameOrPath);
  if (found !== undefined) return found;
  throw invalid(
    `there is no load profile '${nameOrPath}'; known are ${known.map(({ name }) => name).join(', ')}, or the path of a .json file`,
  );
}

function readProfile(path: string): Profile {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(path, 'utf8'));
  } catch (cause) {
    throw invalid(`the load profile ${path} is not JSON: ${(cause as Error).message}`, cause);
  }
  const result = profileSchema.safeParse(content);
  if (result.success) return { ...result.data, path };
  const problems = result.error.issues.map(
    (issue) => `${issue.path.join('.') || 'profile'}: ${issue.message}`,
  );
  throw invalid(`the load profile ${path} is not valid:\n  ${problems.join('\n  ')}`, result.error);
}

function invalid(message: string, cause?: unknown): LoadError {
  return new LoadError('LOAD_PROFILE_INVALID', message, { cause });
}
