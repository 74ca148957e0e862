import type { AppliedKnobs } from '../scenarios/index.js';
import { HttpStatusError, requestJson } from '../supervisor/http-json.js';
import type { DepartedRows } from '../supervisor/service-supervisor.js';
import { STACK_ERRORS, StackError, type StackErrorCode } from './errors.js';
import type {
  AnnouncedLoad,
  LoadNews,
  LoadPoint,
  LoadProgress,
  UsersAnswer,
  UsersOrder,
} from './load-board.js';
import { type StackFailure, type StackStatus, stackStatus } from './stack-status.js';
import type { Turn } from './turns.js';

/** A running stack as seen from another process. Every call rejects with a `StackError`. */
export interface StackClient {
  status(): Promise<StackStatus>;
  /** Resolves when a process of the stack has died; rejects when the stack is gone or the signal fires. */
  failure(signal: AbortSignal): Promise<StackFailure>;
  departedRows(since: number): Promise<DepartedRows[]>;
  applyKnobs(request: {
    knobs: AppliedKnobs;
    seed: number;
    model: 'off' | 'on';
    /** What a mystery sets is told to nobody. */
    hidden?: boolean;
  }): Promise<{ changed: string[] }>;
  /** What was set for a mystery may be seen again. */
  reveal(): Promise<void>;
  /** Announces a load until the signal fires; then rejects, as when the stack is gone. */
  announceLoad(load: AnnouncedLoad, signal: AbortSignal): Promise<void>;
  reportLoad(report: { run: string; progress: LoadProgress; points: readonly LoadPoint[] }): Promise<void>;
  /** News of the load that runs, as soon as there are some. */
  followLoad(after: { version: number; run: string; known: number }, signal: AbortSignal): Promise<LoadNews>;
  /** Users that somebody asked for, as soon as somebody does. */
  usersOrders(after: number, signal: AbortSignal): Promise<UsersOrder[]>;
  answerUsers(answer: UsersAnswer): Promise<void>;
  /** Turns one knob while whatever runs goes on; resolves when it has taken effect. */
  turn(knob: string, value: number | string): Promise<Turn>;
  /** Turns after `since`, as soon as there is one. */
  turns(since: number, signal: AbortSignal): Promise<Turn[]>;
  lastTurn(): Promise<number>;
  reset(): Promise<void>;
  /** Starts what has ended and makes everything as given, from any state. */
  restore(request: { knobs: AppliedKnobs; seed: number }): Promise<{ changed: string[] }>;
  stop(): Promise<void>;
}

/** Replacing a process and calibrating anew take seconds; a second seeding on an account up to minutes. */
const CHANGE_TIMEOUT_MS = 300_000;
const FOREVER_MS = 24 * 3_600_000;

export function stackClient(controlUrl: string, token: string): StackClient {
  const headers = { authorization: `Bearer ${token}` };
  const call = async <Result>(
    path: string,
    options: { method?: 'POST'; body?: unknown; timeoutMs?: number; signal?: AbortSignal } = {},
  ): Promise<Result> => {
    try {
      return await requestJson<Result>(controlUrl + path, { ...options, headers });
    } catch (error) {
      throw toStackError(error, path);
    }
  };
  return {
    status: async () => stackStatus.parse(await call('/status')),
    failure: (signal) => call('/failure', { signal, timeoutMs: FOREVER_MS }),
    departedRows: (since) => call(`/departed-rows?since=${since}`),
    applyKnobs: (body) => call('/knobs', { method: 'POST', body, timeoutMs: CHANGE_TIMEOUT_MS }),
    async reveal() {
      await call('/reveal', { method: 'POST', body: {} });
    },
    announceLoad: (body, signal) => call('/load', { method: 'POST', body, signal, timeoutMs: FOREVER_MS }),
    async reportLoad(body) {
      await call('/load/report', { method: 'POST', body });
    },
    followLoad: ({ version, run, known }, signal) =>
      call(`/load?${new URLSearchParams({ version: `${version}`, run, known: `${known}` })}`, {
        ...{ signal, timeoutMs: FOREVER_MS },
      }),
    usersOrders: (after, signal) => call(`/load/orders?after=${after}`, { signal, timeoutMs: FOREVER_MS }),
    async answerUsers(body) {
      await call('/load/answer', { method: 'POST', body });
    },
    turn: (knob, value) =>
      call('/turn', { method: 'POST', body: { knob, value }, timeoutMs: CHANGE_TIMEOUT_MS }),
    turns: (since, signal) => call(`/turns?since=${since}`, { signal, timeoutMs: FOREVER_MS }),
    lastTurn: async () => (await call<{ sequence: number }>('/turns/last')).sequence,
    async reset() {
      await call('/reset', { method: 'POST', body: {}, timeoutMs: CHANGE_TIMEOUT_MS });
    },
    restore: (body) => call('/restore', { method: 'POST', body, timeoutMs: CHANGE_TIMEOUT_MS }),
    async stop() {
      await call('/stop', { method: 'POST', body: {} });
    },
  };
}

function toStackError(error: unknown, path: string): StackError {
  if (error instanceof HttpStatusError) {
    const { code, message, lastLines } = parseProblem(error.body);
    const known = code !== undefined && code in STACK_ERRORS ? (code as StackErrorCode) : 'CONTROL_FAILED';
    return new StackError(known, message ?? error.message, { cause: error, lastLines: lastLines ?? [] });
  }
  return new StackError('CONTROL_FAILED', `the stack did not answer ${path}: ${(error as Error).message}`, {
    cause: error,
  });
}

function parseProblem(body: string): { code?: string; message?: string; lastLines?: string[] } {
  try {
    return JSON.parse(body);
  } catch {
    return {};
  }
}
