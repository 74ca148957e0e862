import { z } from 'zod';
import { knobs } from '../scenarios/knobs.js';

/** A wrong environment or command line; every problem is named. */
export class SeedJobUsageError extends Error {
  override readonly name = 'SeedJobUsageError';

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const shape = knobs.shape;
/** Text of a variable as a number; what the number may be is the knob's own rule. */
const numeric = (rule: z.ZodType<number, number>) =>
  z
    .string({ error: 'is missing' })
    .transform((text) => (text.trim() === '' ? Number.NaN : Number(text)))
    .pipe(rule);
/** `62:1.3`, a mean in milliseconds and a coefficient of variation. */
const latency = z
  .string({ error: 'is missing' })
  .regex(/^[\d.]+:[\d.]+$/, { error: 'must look like 62:1.3, mean in ms and coefficient of variation' })
  .transform((text) => {
    const [meanMs, coefficientOfVariation] = text.split(':').map(Number);
    return { meanMs, coefficientOfVariation };
  })
  .pipe(shape.queryLatency);
const text = z.string({ error: 'is missing' }).min(1, { error: 'is missing' });

const data = {
  DATA_SEED: numeric(
    z.int({ error: 'must be a whole number' }).min(0).max(4_294_967_295, { error: 'must be below 2^32' }),
  ),
  PHYSICAL_PARTITIONS: numeric(shape.physicalPartitions),
  RU_PER_SECOND: numeric(shape.ruPerSecond),
};

const model = {
  QUERY_BASE_RU: numeric(shape.queryBaseRu),
  BURST_SECONDS: numeric(z.number({ error: 'must be a number of seconds' }).min(0).max(300)),
  QUERY_LATENCY: latency,
  POINT_READ_LATENCY: latency,
};

const snapshotEnvironment = z.object({ ...data, ...model });

const accountEnvironment = z.discriminatedUnion(
  'COSMOS_AUTH',
  [
    z.object({
      ...data,
      COSMOS_AUTH: z.literal('key'),
      COSMOS_ENDPOINT: z.url({ error: 'must be an http or https address' }),
      COSMOS_KEY: text,
      COSMOS_EMULATOR_CONTROL_TOKEN: z.string().optional(),
    }),
    z.object({
      ...data,
      COSMOS_AUTH: z.literal('managed-identity'),
      COSMOS_ENDPOINT: z.url({ protocol: /^https$/, error: 'must be an https address' }),
      COSMOS_RESOURCE_ID: z
        .string({ error: 'is missing' })
        .regex(
          /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft\.DocumentDB\/databaseAccounts\/[^/]+$/i,
          {
            error:
              'must be the id of a Cosmos DB account in Azure Resource Manager: /subscriptions/…/databaseAccounts/NAME',
          },
        ),
    }),
  ],
  { error: 'must be key or managed-identity' },
);

export type SnapshotSettings = z.output<typeof snapshotEnvironment>;
export type AccountSettings = z.output<typeof accountEnvironment>;
export type StandInModel = Omit<SnapshotSettings, keyof typeof data>;

type Environment = Readonly<Record<string, string | undefined>>;

/** @throws {SeedJobUsageError} naming every variable that is missing or wrong */
export function readSnapshotSettings(env: Environment): SnapshotSettings {
  return parse(snapshotEnvironment, env);
}

/** The model is read when a control token says that the account is a stand-in. */
export function readAccountSettings(env: Environment): {
  account: AccountSettings;
  model: StandInModel | null;
} {
  const account = parse(accountEnvironment, { ...env, COSMOS_AUTH: env.COSMOS_AUTH || 'key' });
  const standIn = account.COSMOS_AUTH === 'key' && account.COSMOS_EMULATOR_CONTROL_TOKEN !== undefined;
  return { account, model: standIn ? parse(z.object(model), env) : null };
}

function parse<Schema extends z.ZodType>(schema: Schema, env: Environment): z.output<Schema> {
  const result = schema.safeParse(env);
  if (result.success) return result.data;
  throw new SeedJobUsageError(
    result.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`),
  );
}
