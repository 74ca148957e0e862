import { createStore, type Store } from './store.js';

export type Theme = 'light' | 'dark';

/** Remembered by the browser, where it lets us. */
function remembered<Value extends string>(name: string, initial: Value): Store<Value> {
  const read = () => {
    try {
      return (localStorage.getItem(name) as Value | null) ?? initial;
    } catch {
      return initial;
    }
  };
  const store = createStore<Value>(read());
  store.subscribe(() => {
    try {
      localStorage.setItem(name, store.get());
    } catch {
      // Private windows may not store; the choice then lasts as long as the page.
    }
  });
  return store;
}

const preferred: Theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
export const theme = remembered<Theme>('theme', preferred);
export const typeSize = remembered<'normal' | 'large'>('type-size', 'normal');

const apply = () => {
  document.documentElement.dataset.theme = theme.get();
  document.documentElement.dataset.type = typeSize.get();
};
theme.subscribe(apply);
typeSize.subscribe(apply);
apply();
