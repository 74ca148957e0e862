import type { ComponentType } from 'preact';
import { connection, consoleState } from './connection.js';
import { theme, typeSize } from './preferences.js';
import { addressOf, route, VIEWS, type ViewName } from './router.js';
import { useStore } from './store.js';
import { CompareView } from './views/compare-view.js';
import { MapView } from './views/map-view.js';
import { QueriesView } from './views/queries-view.js';
import { RunPage } from './views/run-view.js';
import { TransactionsView } from './views/transactions-view.js';
import { WorkshopPage } from './views/workshop-view.js';

const TITLES: Record<ViewName, string> = {
  run: 'Run',
  compare: 'Compare',
  transactions: 'Transactions',
  queries: 'Queries',
  map: 'Map',
  workshop: 'Workshop',
};

const PAGES: Record<ViewName, ComponentType> = {
  run: RunPage,
  compare: CompareView,
  transactions: TransactionsView,
  queries: QueriesView,
  map: MapView,
  workshop: WorkshopPage,
};

/** These show the run that the view before has shown. */
const ASK_A_RUN: readonly ViewName[] = ['transactions', 'queries', 'map'];

export function App() {
  const { view, params } = useStore(route);
  const state = useStore(consoleState);
  const Page = PAGES[view];
  return (
    <>
      <header class="top">
        <p class="name">Lab console</p>
        <nav aria-label="Views">
          {VIEWS.map((name) => (
            <a
              key={name}
              href={addressOf(
                name,
                ASK_A_RUN.includes(name) && params.run !== undefined ? { run: params.run } : {},
              )}
              aria-current={name === view ? 'page' : undefined}
            >
              {TITLES[name]}
            </a>
          ))}
        </nav>
        <ConnectionState />
        <Preferences />
      </header>
      <main>
        <h1 class="unseen">{TITLES[view]}</h1>
        {state === null ? <p class="note">Waiting for the console…</p> : <Page />}
      </main>
    </>
  );
}

function ConnectionState() {
  const now = useStore(connection);
  const readOnly = useStore(consoleState)?.readOnly === true;
  const text = {
    connecting: 'connecting…',
    connected: readOnly ? 'connected, read-only' : 'connected',
    disconnected: 'disconnected: what you see is not current; trying again',
  }[now];
  return (
    <p class={`connection ${now}`} role="status">
      {text}
    </p>
  );
}

function Preferences() {
  const colours = useStore(theme);
  const size = useStore(typeSize);
  return (
    <div class="preferences">
      <button
        type="button"
        aria-pressed={size === 'large'}
        onClick={() => typeSize.set(size === 'large' ? 'normal' : 'large')}
      >
        Large type
      </button>
      <button
        type="button"
        aria-pressed={colours === 'dark'}
        onClick={() => theme.set(colours === 'dark' ? 'light' : 'dark')}
      >
        Dark
      </button>
    </div>
  );
}
