import { useEffect, useState } from 'preact/hooks';
import type { QueryAnswered, QueryListed } from '../../../src/console/api.js';
import { call } from '../api-client.js';
import { consoleState } from '../connection.js';
import { addressOf, route, setParams } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';
import { AnswerView } from './answer-view.js';
import { QueryEditor } from './query-editor.js';
import { NoTelemetry, RunChoice, useAskableRuns } from './run-choice.js';

/** Questions to a run's telemetry; the address holds run and query, so that it can be passed on. */
export function QueriesView() {
  const { params } = useStore(route);
  const telemetry = useStore(consoleState)?.telemetry;
  const runs = useAskableRuns();
  const run = params.run ?? runs[0]?.id ?? '';
  const library = useAnswer<QueryListed[]>('/api/queries').value ?? [];
  const named = library.find(({ name }) => name === (params.name ?? 'cosmos-results-over-time'));
  const asked = params.q ?? named?.text ?? '';
  const [text, setText] = useState(asked);
  const [answer, setAnswer] = useState<{ value: QueryAnswered | null; error: string; loading: boolean }>({
    ...{ value: null, error: '', loading: false },
  });
  useEffect(() => setText(asked), [asked]);

  const ask = (query: string) => {
    if (run === '' || query.trim() === '') return;
    setAnswer({ value: null, error: '', loading: true });
    call<QueryAnswered>('/api/query', { method: 'POST', body: { run, text: query } }).then(
      (value) => setAnswer({ value, error: '', loading: false }),
      (error: Error) => setAnswer({ value: null, error: error.message, loading: false }),
    );
  };
  // An address with a query is asked at once: that is what it was passed on for.
  useEffect(() => ask(asked), [run, asked]);

  const submit = () => {
    if (text === asked) ask(text);
    else setParams({ run, q: text, name: undefined });
  };
  if (run === '') return <NoTelemetry reason={telemetry?.reason ?? ''} />;
  return (
    <div class="queries">
      <nav aria-label="Library of queries" class="library">
        <h2>Library</h2>
        <ul>
          {library.map(({ name, title, question }) => (
            <li key={name}>
              <a
                href={addressOf('queries', { run, name })}
                title={question}
                aria-current={params.q === undefined && name === named?.name ? 'true' : undefined}
              >
                {title}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div>
        <div class="controls row">
          <RunChoice runs={runs} value={run} />
          <button type="button" class="primary" onClick={submit}>
            Run query
          </button>
          <a href={addressOf('queries', { run, q: text })}>Link to this query</a>
          <span class="hint">Ctrl+Enter runs it, Ctrl+Space completes.</span>
        </div>
        {params.q === undefined && named !== undefined && (
          <p class="question">
            <strong>{named.question}</strong> {named.lookFor}
          </p>
        )}
        <QueryEditor text={text} onText={setText} onSubmit={submit} />
        {answer.loading && <p class="note">Asking…</p>}
        {answer.error !== '' && (
          <pre class="error" role="alert">
            {answer.error}
          </pre>
        )}
        {answer.value !== null && <AnswerView answer={answer.value} />}
      </div>
    </div>
  );
}
