import { z } from 'zod';
import { type AppliedKnobs, KNOB_TABLE, type KnobName, knobs } from '../scenarios/index.js';
import { StackError } from './errors.js';

/** Knobs that can be turned while a load runs; each check is the scenario schema's own. */
const { ruPerSecond, queryFanout, partitionKey, deliveryRequestsPerSecond, deliveryReplicas } = knobs.shape;
const TURNABLE = { ruPerSecond, queryFanout, partitionKey, deliveryRequestsPerSecond, deliveryReplicas };
export type TurnableKnob = keyof typeof TURNABLE;

/** The number of users of a load that runs: a knob of the load, not of the stack. */
export const USERS_KNOB = 'users';
const MOST_USERS = 500;
export const USERS_RANGE = `0 to ${MOST_USERS}, until the next change or the end of the load`;

/** Why nobody sees or turns knobs. */
export const HIDDEN_KNOBS = 'knobs are hidden until the mystery is solved';

/** One knob turned while the stack ran. */
export const turn = z.object({
  /** Counts from 1. */
  sequence: z.int(),
  /** Unix time in milliseconds: when the change had taken effect. */
  atMs: z.number(),
  knob: z.string(),
  from: z.union([z.number(), z.string()]),
  to: z.union([z.number(), z.string()]),
});
export type Turn = z.infer<typeof turn>;

const WHY_NOT: Partial<Record<KnobName, string>> = {
  physicalPartitions: 'the containers are created anew and seeded, which no load survives',
  queryBaseRu: 'it belongs to the model that a run is measured against',
  burst: 'it belongs to the model that a run is measured against',
  queryLatency: 'it belongs to the model that a run is measured against',
  pointReadLatency: 'it belongs to the model that a run is measured against',
};

/** Why a knob can't be turned while a load runs; null when it can. */
export function whyNotTurnable(name: KnobName): string | null {
  return name in TURNABLE
    ? null
    : `${WHY_NOT[name] ?? 'it takes effect between runs'}; choose it in a scenario`;
}

/** A knob by name with a value as JSON or as typed on a command line. Throws KNOB_REFUSED, naming what is allowed. */
export function parseTurn(name: string, value: unknown): Pick<AppliedKnobs, TurnableKnob>[TurnableKnob] {
  if (!Object.hasOwn(KNOB_TABLE, name)) {
    throw refused(`unknown knob "${name}"; known: ${[...Object.keys(KNOB_TABLE), USERS_KNOB].join(', ')}`);
  }
  const reason = whyNotTurnable(name as KnobName);
  if (reason !== null) throw refused(`${name} can not be turned while the stack runs: ${reason}`);
  const numeric =
    KNOB_TABLE[name as KnobName].kind === 'number' && typeof value === 'string' && value.trim() !== '';
  const parsed = TURNABLE[name as TurnableKnob].safeParse(numeric ? Number(value) : value);
  if (parsed.success) return parsed.data;
  throw refused(`${name}: ${parsed.error.issues[0]?.message}, not ${JSON.stringify(value)}`);
}

/** A number of users, as JSON or as typed. Throws KNOB_REFUSED. */
export function parseUsers(value: unknown): number {
  const users = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (Number.isInteger(users) && (users as number) >= 0 && (users as number) <= MOST_USERS)
    return users as number;
  throw refused(`users: must be a whole number from 0 to ${MOST_USERS}, not ${JSON.stringify(value)}`);
}

const refused = (message: string) => new StackError('KNOB_REFUSED', message);

/** Keeps every turn, and lets others wait for the next one. */
export interface TurnLog {
  add(turned: Omit<Turn, 'sequence'>): Turn;
  last(): number;
  /** Turns after `sequence`, as soon as there is one. Never rejects. */
  after(sequence: number): Promise<Turn[]>;
}

export function createTurnLog(): TurnLog {
  const turns: Turn[] = [];
  let waiting: (() => void)[] = [];
  const after = async (sequence: number): Promise<Turn[]> => {
    while ((turns.at(-1)?.sequence ?? 0) <= sequence) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    return turns.filter((one) => one.sequence > sequence);
  };
  return {
    add(turned) {
      const added = { sequence: turns.length + 1, ...turned };
      turns.push(added);
      for (const wake of waiting) wake();
      waiting = [];
      return added;
    },
    last: () => turns.at(-1)?.sequence ?? 0,
    after,
  };
}
