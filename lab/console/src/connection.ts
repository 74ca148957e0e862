import type { ConsoleEvents, ConsoleState, RunView } from '../../src/console/api.js';
import { createStore } from './store.js';

export type Connection = 'connecting' | 'connected' | 'disconnected';

/** What the server says, as it says it. */
export const connection = createStore<Connection>('connecting');
export const consoleState = createStore<ConsoleState | null>(null);
/** The run that goes on, or the last one that this console started. */
export const currentRun = createStore<RunView | null>(null);

/** Two beats of the server and a little. */
const SILENCE_MS = 5_500;
const RETRY_MS = 1_000;

/** Follows the server for as long as the page is open; after a break it begins anew with the whole state. */
export function connect(): void {
  let source = open();
  let heardAt = Date.now();

  function open(): EventSource {
    const opened = new EventSource('/api/events');
    const on = <Name extends keyof ConsoleEvents>(name: Name, take: (data: ConsoleEvents[Name]) => void) => {
      opened.addEventListener(name, (event) => {
        heardAt = Date.now();
        if (connection.get() !== 'connected') connection.set('connected');
        take(JSON.parse((event as MessageEvent<string>).data));
      });
    };
    on('state', (state) => {
      consoleState.set(state);
      currentRun.set(state.run);
    });
    on('knobs', (knobs) => {
      const state = consoleState.get();
      if (state !== null) consoleState.set({ ...state, knobs });
    });
    on('run', (run) => {
      const known = currentRun.get();
      const points = known !== null && (known.id === run.id || known.id === '') ? known.points : [];
      currentRun.set({ ...run, points });
    });
    on('points', ({ id, points }) => {
      const run = currentRun.get();
      if (run === null || run.id !== id) return;
      const first = points[0]?.second ?? 0;
      currentRun.set({ ...run, points: [...run.points.filter(({ second }) => second < first), ...points] });
    });
    on('beat', () => {});
    opened.onerror = () => connection.set('disconnected');
    return opened;
  }

  setInterval(() => {
    const silent = Date.now() - heardAt > SILENCE_MS;
    if (silent) connection.set('disconnected');
    if (silent || source.readyState === EventSource.CLOSED) {
      source.close();
      heardAt = Date.now();
      source = open();
    }
  }, RETRY_MS);
}
