import { z } from 'zod';
import { StackError } from './errors.js';
import type { Turn } from './turns.js';

/** A load as whoever runs it announces it. */
export const announcedLoad = z.strictObject({
  run: z.string().min(1),
  /** A mystery's is its disguise. */
  scenario: z.string().min(1),
  plannedSeconds: z.number().positive(),
  /** The process that runs it. */
  pid: z.int(),
  /** Why its users can't be set while it runs; empty when they can. */
  usersFixed: z.string(),
});
export type AnnouncedLoad = z.infer<typeof announcedLoad>;

/** What is known of a load so far. */
export const loadProgress = z.strictObject({
  /** As the lab calls its phases: `knobs`, `warm-up`, `load`, ... */
  phase: z.string(),
  /** Unix time in milliseconds of the load's first second; null before it. */
  loadStartMs: z.number().nullable(),
  /** Users of the newest second. */
  users: z.int().nullable(),
  /** Services that have a CPU limit. */
  limitedServices: z.array(z.string()),
});
export type LoadProgress = z.infer<typeof loadProgress>;

/** Points of charts are handed on as they come; `second` counts from the load's start. */
export type LoadPoint = { second: number };

export interface LoadNews {
  /** Counts changes; asked for with it, news come when there are some. */
  version: number;
  /** Null while no load runs. */
  load: (AnnouncedLoad & LoadProgress) | null;
  /** Points after those that were known. */
  points: LoadPoint[];
  /** Knobs turned since it was announced. */
  turns: Turn[];
}

/** A number of users that somebody asked for. */
export interface UsersOrder {
  sequence: number;
  users: number;
}

export const usersAnswer = z.strictObject({
  sequence: z.int(),
  from: z.int().optional(),
  refused: z.string().optional(),
});
export type UsersAnswer = z.infer<typeof usersAnswer>;

/** Where the one load that runs on a stack is told, followed, and asked for other users. */
export interface LoadBoard {
  current(): LoadNews['load'];
  /** Holds the place until the signal fires: whoever runs a load keeps the connection open. Throws ALREADY_RUNNING. */
  announce(load: AnnouncedLoad, signal: AbortSignal): Promise<void>;
  turned(turn: Turn): void;
  report(run: string, progress: LoadProgress, points: readonly LoadPoint[]): void;
  /** News after a version; `known` points of that run are left out. */
  follow(after: { version: number; run: string; known: number }, signal: AbortSignal): Promise<LoadNews>;
  /** The next order after a sequence, for whoever runs the load. */
  orders(after: number, signal: AbortSignal): Promise<UsersOrder[]>;
  answer(answer: UsersAnswer): void;
  /** Asks for users and waits until they are set; resolves with how many there were. Throws KNOB_REFUSED. */
  setUsers(users: number): Promise<number>;
}

/** Somebody who runs a load and does not answer is gone or stuck. */
const ANSWER_MS = 8_000;

interface Place {
  load: AnnouncedLoad;
  progress: LoadProgress;
  points: LoadPoint[];
  turns: Turn[];
}

export function createLoadBoard({ answerMs = ANSWER_MS } = {}): LoadBoard {
  let place: Place | null = null;
  let version = 1;
  let sequence = 0;
  let asked: UsersOrder[] = [];
  const waiting: (() => void)[] = [];
  const answers = new Map<number, (answer: UsersAnswer) => void>();

  const current = () => (place === null ? null : { ...place.load, ...place.progress });
  const changed = () => {
    version += 1;
    for (const wake of waiting.splice(0)) wake();
  };
  const change = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      waiting.push(resolve);
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  const leave = (left: Place) => {
    if (place !== left) return;
    place = null;
    asked = [];
    for (const [number, settle] of answers) settle({ sequence: number, refused: 'the load has ended' });
    changed();
  };

  return {
    current,
    async announce(load, signal) {
      if (place !== null) {
        throw new StackError('ALREADY_RUNNING', `${place.load.run} is running on this stack already`);
      }
      const progress = { phase: '', loadStartMs: null, users: null, limitedServices: [] };
      const own: Place = { load, progress, points: [], turns: [] };
      place = own;
      changed();
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        if (signal.aborted) resolve();
      });
      leave(own);
    },
    turned(turn) {
      place?.turns.push(turn);
      changed();
    },
    report(run, progress, points) {
      if (place?.load.run !== run) return;
      place.progress = progress;
      place.points.push(...points);
      changed();
    },
    async follow({ version: seen, run, known }, signal) {
      while (version <= seen && !signal.aborted) await change(signal);
      const from = place?.load.run === run ? known : 0;
      return {
        version,
        load: current(),
        points: place?.points.slice(from) ?? [],
        turns: place?.turns ?? [],
      };
    },
    async orders(after, signal) {
      while (!asked.some((order) => order.sequence > after) && !signal.aborted) await change(signal);
      return asked.filter((order) => order.sequence > after);
    },
    answer(answer) {
      answers.get(answer.sequence)?.(answer);
    },
    async setUsers(users) {
      const refused = (why: string) => new StackError('KNOB_REFUSED', `users can not be turned: ${why}`);
      const why = whyUsersFixed(current());
      if (why !== '') throw refused(why);
      sequence += 1;
      const order = { sequence, users };
      asked.push(order);
      const answered = new Promise<UsersAnswer>((resolve) => {
        const timeout = setTimeout(
          () => resolve({ sequence: order.sequence, refused: 'whoever runs the load did not answer' }),
          answerMs,
        );
        answers.set(order.sequence, (answer) => {
          clearTimeout(timeout);
          resolve(answer);
        });
      });
      changed();
      const { from, refused: reason } = await answered;
      answers.delete(order.sequence);
      asked = asked.filter((one) => one !== order);
      if (from === undefined) throw refused(reason ?? 'whoever runs the load refused');
      return from;
    },
  };
}

/** Why users can't be set now; empty when they can. */
export function whyUsersFixed(load: LoadNews['load']): string {
  if (load === null) return 'no load is running';
  if (load.usersFixed !== '') return load.usersFixed;
  return load.loadStartMs === null ? 'the load has not begun' : '';
}
