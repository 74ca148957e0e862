import { useState } from 'preact/hooks';
import type { KnobView } from '../../../src/console/api.js';
import { call } from '../api-client.js';
import { consoleState, currentRun } from '../connection.js';
import { route } from '../router.js';
import { useStore } from '../store.js';

const GOING = ['preparing', 'loading', 'finishing'];
const SHORTEST_SECONDS = 5;
const LONGEST_SECONDS = 3600;

/** Start and stop, and the knobs. */
export function RunControls() {
  const state = useStore(consoleState);
  const run = useStore(currentRun);
  const [scenario, setScenario] = useState('');
  const [seconds, setSeconds] = useState(60);
  const [alone, setAlone] = useState(false);
  const [error, setError] = useState('');
  const going = run !== null && GOING.includes(run.state);
  const elsewhere = going ? (run?.elsewhere ?? null) : null;
  const scenarios = state?.scenarios ?? [];
  const chosen = scenario === '' ? (scenarios[0]?.name ?? '') : scenario;
  const attempt = (what: Promise<unknown>) => {
    setError('');
    what.catch((cause: Error) => setError(cause.message));
  };
  const start = (event: Event) => {
    event.preventDefault();
    // Whoever starts a run wants to see it.
    if (route.get().params.run !== undefined) location.hash = '#/run';
    const body = { scenario: chosen, seconds, diagnosis: !alone };
    attempt(call('/api/run', { method: 'POST', body }));
  };
  return (
    <section class="controls" aria-label="Run and knobs">
      <form onSubmit={start}>
        <label>
          Scenario{' '}
          <select
            value={chosen}
            disabled={going}
            onChange={(event) => setScenario(event.currentTarget.value)}
          >
            {scenarios.map(({ name, title }) => (
              <option key={name} value={name}>
                {name}: {title}
              </option>
            ))}
          </select>
        </label>
        <label>
          Seconds{' '}
          <input
            type="number"
            min={SHORTEST_SECONDS}
            max={LONGEST_SECONDS}
            value={seconds}
            disabled={going}
            onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={alone}
            disabled={going}
            onChange={(event) => setAlone(event.currentTarget.checked)}
          />{' '}
          without the diagnosis
        </label>
        {going ? (
          <button
            type="button"
            class="primary"
            disabled={elsewhere !== null}
            onClick={() => attempt(call('/api/run/stop', { method: 'POST', body: {} }))}
          >
            Stop
          </button>
        ) : (
          <button type="submit" class="primary">
            Start
          </button>
        )}
      </form>
      {elsewhere !== null && (
        <p class="hint" data-elsewhere={elsewhere.pid}>
          Another process ({elsewhere.pid}) runs {run?.id} on this stack; it is stopped there.
        </p>
      )}
      {error !== '' && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      <Knobs knobs={state?.knobs ?? []} />
    </section>
  );
}

function Knobs({ knobs }: { knobs: readonly KnobView[] }) {
  const turnable = knobs.filter(({ fixed }) => !fixed);
  const fixed = knobs.filter((knob) => knob.fixed);
  // One reason for all of them is said once.
  const reasons = new Set(turnable.map(({ reason }) => reason));
  const [common] = reasons.size === 1 ? reasons : [''];
  return (
    <>
      <div class="knobs">
        {turnable.map((knob) => (
          <Knob key={knob.name} knob={knob} reasonGiven={common !== ''} />
        ))}
      </div>
      {common !== '' && common !== undefined && <p class="hint">Knobs can not be turned yet: {common}.</p>}
      <details class="fixed-knobs">
        <summary>{fixed.length} knobs that can not be turned now, and why</summary>
        <dl>
          {fixed.map(({ name, title, value, unit, reason }) => (
            <div key={name}>
              <dt>
                {title}
                {value === null ? '' : `: ${value} ${unit}`}
              </dt>
              <dd>{reason}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
}

function Knob({ knob, reasonGiven }: { knob: KnobView; reasonGiven: boolean }) {
  const { name, title, unit, value, choices, range, reason } = knob;
  const [typed, setTyped] = useState<string | null>(null);
  const [state, setState] = useState<{ busy: boolean; error: string }>({ busy: false, error: '' });
  const run = useStore(currentRun);
  // The load changes its users by itself, second by second.
  const now = name === 'users' && reason === '' ? (run?.points.at(-1)?.users ?? value) : value;
  const shown = typed ?? String(now ?? '');
  const turn = (to: string) => {
    setState({ busy: true, error: '' });
    call(`/api/knobs/${name}`, { method: 'POST', body: { value: choices === null ? Number(to) : to } }).then(
      () => {
        setTyped(null);
        setState({ busy: false, error: '' });
      },
      (cause: Error) => setState({ busy: false, error: cause.message }),
    );
  };
  const disabled = reason !== '' || state.busy;
  return (
    <form
      class="knob"
      data-knob={name}
      title={reason === '' ? range : reason}
      onSubmit={(event) => {
        event.preventDefault();
        turn(shown);
      }}
    >
      <label for={`knob-${name}`}>
        {title}
        {unit === '' ? '' : `, ${unit}`}
      </label>
      {choices === null ? (
        <input
          id={`knob-${name}`}
          type="number"
          value={shown}
          disabled={disabled}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      ) : (
        <select
          id={`knob-${name}`}
          value={shown}
          disabled={disabled}
          onChange={(event) => setTyped(event.currentTarget.value)}
        >
          {value === null && <option value="">–</option>}
          {choices.map((choice) => (
            <option key={choice} value={choice}>
              {choice}
            </option>
          ))}
        </select>
      )}

      <button type="submit" disabled={disabled || typed === null || typed === String(now)}>
        {state.busy ? 'Turning…' : 'Turn'}
        <span class="unseen"> {title}</span>
      </button>
      {reason !== '' && !reasonGiven && <small>{reason}</small>}
      {state.error !== '' && (
        <small class="error" role="alert">
          {state.error}
        </small>
      )}
    </form>
  );
}
