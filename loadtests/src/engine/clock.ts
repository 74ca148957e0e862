export interface Timer {
  cancel(): void;
}

/** Time as the engine sees it; tests drive a virtual one. */
export interface Clock {
  /** Unix time in milliseconds with a fraction; never goes backwards. */
  now(): number;
  /** Calls back once `delayMs` from now. */
  after(delayMs: number, callback: () => void): Timer;
  /** Resolves after pending I/O events and timers have had their turn. */
  yield(): Promise<void>;
}

/** How much too early a callback may come, milliseconds. */
export const EARLY_TOLERANCE_MS = 0.5;

/**
 * Node's timers count whole milliseconds and may fire up to one early. A callback that is earlier than the
 * tolerance is armed again, so that a pause of a load script is right to the millisecond and does not drift.
 */
export function systemClock(): Clock {
  const now = () => performance.timeOrigin + performance.now();
  return {
    now,
    after(delayMs, callback) {
      const due = now() + delayMs;
      let handle: NodeJS.Timeout;
      const fire = () => {
        if (due - now() > EARLY_TOLERANCE_MS) handle = setTimeout(fire, 1);
        else callback();
      };
      handle = setTimeout(fire, Math.max(0, Math.floor(delayMs)));
      return { cancel: () => clearTimeout(handle) };
    },
    yield: () => new Promise((resolve) => setImmediate(resolve)),
  };
}
