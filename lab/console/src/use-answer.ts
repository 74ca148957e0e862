import { useEffect, useRef, useState } from 'preact/hooks';
import { call } from './api-client.js';
import { connection } from './connection.js';

export interface Answer<Value> {
  value: Value | null;
  error: string;
  loading: boolean;
  reload(): void;
}

/** The answer of a GET route; asked again when path or `version` change. `null`: nothing is asked. */
export function useAnswer<Value>(path: string | null, version = ''): Answer<Value> {
  const [state, setState] = useState<Omit<Answer<Value>, 'reload'>>({
    value: null,
    error: '',
    loading: path !== null,
  });
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (path === null) {
      setState({ value: null, error: '', loading: false });
      return;
    }
    const left = new AbortController();
    setState((before) => ({ ...before, error: '', loading: true }));
    call<Value>(path, { signal: left.signal }).then(
      (value) => setState({ value, error: '', loading: false }),
      (error: Error) => {
        if (!left.signal.aborted) setState({ value: null, error: error.message, loading: false });
      },
    );
    return () => left.abort();
  }, [path, version, asked]);
  const failed = useRef(false);
  failed.current = state.error !== '';
  // What could not be asked while the connection was broken is asked when it is back.
  useEffect(
    () =>
      connection.subscribe(() => {
        if (failed.current && connection.get() === 'connected') setAsked((count) => count + 1);
      }),
    [],
  );
  return { ...state, reload: () => setAsked((count) => count + 1) };
}
