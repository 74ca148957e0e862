import { createStore } from './store.js';

export const VIEWS = ['run', 'compare', 'transactions', 'queries', 'map', 'workshop'] as const;
export type ViewName = (typeof VIEWS)[number];

/** The address of a view: `#/transactions?run=latest&list=slowest`. Whoever opens it sees the same. */
export interface Route {
  view: ViewName;
  params: Record<string, string>;
}

function parse(hash: string): Route {
  const [name = '', query = ''] = hash.replace(/^#\/?/, '').split('?');
  const view = VIEWS.find((known) => known === name) ?? 'run';
  return { view, params: Object.fromEntries(new URLSearchParams(query)) };
}

export const route = createStore<Route>(parse(location.hash));
addEventListener('hashchange', () => route.set(parse(location.hash)));

export function addressOf(view: ViewName, params: Record<string, string | number | undefined> = {}): string {
  const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
  return given.length === 0 ? `#/${view}` : `#/${view}?${query}`;
}

/** Changes parameters of the view that is shown; the browser's "back" undoes it. */
export function setParams(change: Record<string, string | number | undefined>): void {
  const { view, params } = route.get();
  location.hash = addressOf(view, { ...params, ...change });
}
