import { useEffect, useRef, useState } from 'preact/hooks';
import type { QueryChecked, QueryCompletions } from '../../../src/console/api.js';
import { call } from '../api-client.js';

const CHECK_AFTER_MS = 350;
const SHOWN_COMPLETIONS = 12;

/** A text of the Kusto query language, with what the language service says about it. */
export function QueryEditor({
  text,
  onText,
  onSubmit,
}: {
  text: string;
  onText: (text: string) => void;
  onSubmit: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const diagnostics = useDiagnostics(text);
  const [offered, setOffered] = useState<QueryCompletions | null>(null);
  const [chosen, setChosen] = useState(0);
  const items = offered === null ? [] : offered.items.slice(0, SHOWN_COMPLETIONS);

  const offer = async () => {
    const position = area.current?.selectionStart ?? 0;
    const found = await call<QueryCompletions>('/api/query/complete', {
      method: 'POST',
      body: { text, position },
    }).catch(() => null);
    if (found === null) return setOffered(null);
    const begun = text.slice(found.editStart, position).toLowerCase();
    const matching = found.items.filter(({ label }) => label.toLowerCase().startsWith(begun));
    setChosen(0);
    setOffered(matching.length === 0 ? null : { ...found, items: matching });
  };
  const accept = (at: number) => {
    const item = items[at];
    if (offered === null || item === undefined) return;
    const before = text.slice(0, offered.editStart) + item.insertText;
    onText(before + text.slice(offered.editStart + offered.editLength));
    setOffered(null);
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(before.length, before.length);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const handled = keyActions({
      ...{ onSubmit, accept, chosen, setChosen },
      offer: () => void offer(),
      close: () => setOffered(null),
      count: items.length,
    })[keyOf(event)]?.();
    if (handled === true) event.preventDefault();
  };

  return (
    <div class="editor">
      <textarea
        ref={area}
        aria-label="Query"
        aria-describedby="diagnostics"
        aria-autocomplete="list"
        spellcheck={false}
        rows={Math.min(18, Math.max(6, text.split('\n').length + 1))}
        value={text}
        onInput={(event) => {
          onText(event.currentTarget.value);
          setOffered(null);
        }}
        onKeyDown={onKeyDown}
      />
      {items.length > 0 && (
        <div class="completions" role="listbox" aria-label="Completions" tabIndex={-1}>
          {items.map(({ label, kind }, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are handled where the focus is, in the text
            <div
              key={`${kind}${label}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === chosen}
              onClick={() => accept(at)}
            >
              {label} <small>{kind}</small>
            </div>
          ))}
        </div>
      )}
      <ul id="diagnostics" class="diagnostics" aria-live="polite">
        {diagnostics.map(({ line, column, code, message, severity }) => (
          <li key={`${line}:${column}${code}`} class={severity === 'error' ? 'error' : 'warning'}>
            line {line}, column {column}: {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

function useDiagnostics(text: string): QueryChecked['diagnostics'] {
  const [found, setFound] = useState<QueryChecked['diagnostics']>([]);
  useEffect(() => {
    if (text.trim() === '') {
      setFound([]);
      return;
    }
    const left = new AbortController();
    const timer = setTimeout(() => {
      call<QueryChecked>('/api/query/check', { method: 'POST', body: { text }, signal: left.signal }).then(
        ({ diagnostics }) => setFound(diagnostics),
        () => {},
      );
    }, CHECK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      left.abort();
    };
  }, [text]);
  return found;
}

function keyOf(event: KeyboardEvent): string {
  return `${event.ctrlKey || event.metaKey ? 'Ctrl+' : ''}${event.key === ' ' ? 'Space' : event.key}`;
}

/** Each returns whether the key was meant for it. */
function keyActions(context: {
  onSubmit: () => void;
  offer: () => void;
  accept: (at: number) => void;
  close: () => void;
  chosen: number;
  setChosen: (at: number) => void;
  count: number;
}): Record<string, () => boolean> {
  const { onSubmit, offer, accept, close, chosen, setChosen, count } = context;
  const whileOpen = (action: () => void) => () => {
    if (count === 0) return false;
    action();
    return true;
  };
  return {
    'Ctrl+Enter': () => {
      onSubmit();
      return true;
    },
    'Ctrl+Space': () => {
      offer();
      return true;
    },
    ArrowDown: whileOpen(() => setChosen((chosen + 1) % count)),
    ArrowUp: whileOpen(() => setChosen((chosen + count - 1) % count)),
    Enter: whileOpen(() => accept(chosen)),
    Escape: whileOpen(close),
  };
}
