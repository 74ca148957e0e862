import type { Scenario } from 'k6/options';

/** A load profile as its file holds it; described and checked in full by the package that starts the load. */
export interface Profile {
  name: string;
  model: 'closed' | 'open';
  thinkTimeSeconds: number;
  start: number;
  stages: { share: number; target: number; jump?: boolean }[];
  steps: number | 'stages';
  preAllocatedUsers?: number;
  maxUsers?: number;
}

/** A part of the test that results are reported for. */
export interface Step {
  /** '1', '2', ... */
  label: string;
  startMs: number;
  endMs: number;
}

/** Reads a profile; the message of an error names the profile and the field. */
export function parseProfile(text: string, origin: string): Profile {
  const profile = JSON.parse(text) as Profile;
  const wrong = (field: string, rule: string) => new Error(`load profile ${origin}: ${field} ${rule}`);
  if (profile.model !== 'closed' && profile.model !== 'open')
    throw wrong('model', "must be 'closed' or 'open'");
  if (!(profile.thinkTimeSeconds >= 0)) throw wrong('thinkTimeSeconds', 'must be 0 or more');
  if (!Number.isInteger(profile.start)) throw wrong('start', 'must be a whole number');
  if (!Array.isArray(profile.stages) || profile.stages.length === 0)
    throw wrong('stages', 'must not be empty');
  const shares = profile.stages.reduce((sum, { share }) => sum + share, 0);
  if (!(Math.abs(shares - 1) < 1e-6)) throw wrong('stages', 'must have shares that add up to 1');
  if (profile.steps !== 'stages' && !(profile.steps >= 1))
    throw wrong('steps', "must be a number or 'stages'");
  return profile;
}

/** The profile's stages for a test of this length. A stage that jumps is one of no length and one that holds. */
function stagesOf(profile: Profile, durationMs: number): { duration: string; target: number }[] {
  return profile.stages.flatMap(({ share, target, jump }) => {
    const stage = { duration: `${Math.round(share * durationMs)}ms`, target };
    return jump ? [{ duration: '0s', target }, stage] : [stage];
  });
}

/**
 * The scenario of a profile. The graceful times are so long that only a request without any answer is ever cut off:
 * steps stay comparable, and on k6 an interrupted asynchronous iteration would spoil the later ones of its user.
 */
export function scenarioOf(profile: Profile, durationMs: number, gracefulStop: string): Scenario {
  const stages = stagesOf(profile, durationMs);
  if (profile.model === 'closed') {
    return {
      executor: 'ramping-vus',
      startVUs: profile.start,
      stages,
      gracefulStop,
      gracefulRampDown: gracefulStop,
    };
  }
  return {
    executor: 'ramping-arrival-rate',
    startRate: profile.start,
    timeUnit: '1s',
    preAllocatedVUs: profile.preAllocatedUsers ?? 1,
    maxVUs: profile.maxUsers ?? profile.preAllocatedUsers ?? 1,
    stages,
    gracefulStop,
  };
}

/** The steps of a test of this length: equal slices, or one per stage. */
export function stepsOf(profile: Profile, durationMs: number): Step[] {
  const lengths =
    profile.steps === 'stages'
      ? profile.stages.map(({ share }) => share * durationMs)
      : Array.from({ length: profile.steps }, () => durationMs / (profile.steps as number));
  let startMs = 0;
  return lengths.map((length, index) => {
    const step = { label: String(index + 1), startMs, endMs: startMs + length };
    startMs += length;
    return step;
  });
}
