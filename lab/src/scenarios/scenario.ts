import { listProfiles } from '@bottleneck-lab/loadtests';
import { z } from 'zod';
import { expectation } from './expectation.js';
import { knobs } from './knobs.js';
import { oneOf, quantity, strictFields, text } from './strict-fields.js';
import { teaching } from './teaching.js';

const SCENARIO_SCHEMA_VERSION = '1.0';

/** Bottlenecks that the diagnosis can name; docs/reference/diagnosis.md explains each. */
export const BOTTLENECKS = [
  'throttling',
  'serial-fan-out',
  'cross-partition-cost',
  'hot-partition',
  'cpu-saturation',
  'connection-pool',
  'errors',
  'none-found',
] as const;

/** Profiles of the load tests by name. */
function profileNames(): string[] {
  return listProfiles().map((profile) => profile.name);
}

/** The load: a profile of the load tests by name, and what the scenario changes about it. */
const load = strictFields({
  profile: z
    .string({ error: 'must be the name of a load profile' })
    .refine((name) => profileNames().includes(name), {
      error: () => `must be the name of a load profile: ${profileNames().join(', ')}`,
    }),
  /** Users at the end; the profile's own when absent. */
  maxUsers: quantity({ min: 1, max: 10_000, unit: 'users', whole: true }).optional(),
  /** Pause of a user between two iterations; the profile's own when absent. */
  thinkTimeSeconds: quantity({ min: 0, max: 3_600, unit: 'seconds' }).optional(),
  /**
   * Before the load, at the rate at which delivery is to saturate. From 5 s on it also sets delivery's CPU limit, by
   * what a request cost meanwhile; a scenario that saturates delivery wants that.
   */
  warmUpSeconds: quantity({ min: 1, max: 60, unit: 'seconds' }).default(2.5),
  /** Share of the requests that ask for one and the same owner; absent: all owners alike. */
  hotOwnerShare: quantity({ min: 0, max: 1, unit: 'share of the requests' }).optional(),
});
export type ScenarioLoad = z.output<typeof load>;

export const scenario = strictFields({
  schemaVersion: z.literal(SCENARIO_SCHEMA_VERSION, {
    error: `must be the text "${SCENARIO_SCHEMA_VERSION}"`,
  }),
  name: z.string({ error: 'must be text' }).regex(/^[a-z][a-z0-9-]{1,39}$/, {
    error: 'must be 2 to 40 lower-case letters, digits and hyphens, beginning with a letter',
  }),
  title: text(),
  /** Place in lists and in a progression. */
  order: quantity({ min: 1, max: 999, unit: '', whole: true }),
  /** The test of the published article whose figures this scenario is compared with. */
  article: strictFields({ test: z.literal([1, 2, 3, 4], { error: 'must be 1, 2, 3 or 4' }) }).optional(),
  knobs,
  load,
  expected: strictFields({
    /** What the diagnosis must find. */
    bottleneck: oneOf(BOTTLENECKS),
    measures: z.array(expectation, { error: 'must be a list of expected ranges' }),
  }).optional(),
  teaching,
});
export type Scenario = z.output<typeof scenario>;
export type BottleneckName = (typeof BOTTLENECKS)[number];
