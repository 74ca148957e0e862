import { useEffect, useMemo } from 'preact/hooks';
import type { RunListed, RunView } from '../../../src/console/api.js';
import { Chart } from '../charts/chart.js';
import { chartSpecs } from '../charts/chart-specs.js';
import { paletteOf } from '../charts/palette.js';
import { zoom } from '../charts/zoom.js';
import { ZoomBar } from '../charts/zoom-bar.js';
import { consoleState, currentRun } from '../connection.js';
import { figure, milliseconds } from '../format.js';
import { theme } from '../preferences.js';
import { addressOf, route } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';
import { RunControls } from './run-controls.js';
import { RunOutcome } from './run-outcome.js';

/** The run that goes on, or the one that the address names, or the newest on disk. */
export function RunPage() {
  const { params } = useStore(route);
  const current = useStore(currentRun);
  const state = useStore(consoleState);
  const wanted = params.run;
  const followed = wanted === undefined || wanted === current?.id ? current : null;
  const newest = useAnswer<RunListed[]>(wanted === undefined && current === null ? '/api/runs' : null);
  const id = wanted ?? newest.value?.[0]?.id;
  const recorded = useAnswer<RunView>(
    followed === null && id !== undefined ? `/api/runs/${encodeURIComponent(id)}` : null,
  );
  const run = followed ?? recorded.value;
  return (
    <>
      {state?.readOnly === false && <RunControls />}
      {recorded.error !== '' && <p class="error">{recorded.error}</p>}
      {run === null ? (
        <p class="note">
          {recorded.loading || newest.loading ? 'Loading…' : 'No run yet: choose a scenario and start it.'}
        </p>
      ) : (
        <RunCharts run={run} live={run === current} />
      )}
    </>
  );
}

function RunCharts({ run, live }: { run: RunView; live: boolean }) {
  const colours = useStore(theme);
  const specs = useMemo(
    () => chartSpecs(run, paletteOf(colours)),
    [run.id, run.limitedServices.join(), partitionsOf(run), colours],
  );
  // The part of another load that was looked at means nothing here.
  useEffect(() => zoom.set(null), [run.id]);
  const plotState = useMemo(
    () => ({ seconds: run.plannedSeconds, steps: run.steps, turns: run.turns }),
    [run.plannedSeconds, run.steps, run.turns],
  );
  return (
    <>
      <RunTitle run={run} live={live} />
      <Tiles run={run} />
      <RunOutcome run={run} />
      <ZoomBar seconds={run.plannedSeconds} />
      <div class="charts">
        {specs.map((spec) => (
          <Chart key={spec.id} spec={spec} points={run.points} state={plotState} />
        ))}
      </div>
      <Turns run={run} />
    </>
  );
}

const partitionsOf = ({ points }: RunView) => Object.keys(points.at(-1)?.ruByPartition ?? {}).length;

const STATES: Record<RunView['state'], string> = {
  preparing: 'preparing',
  loading: 'under load',
  finishing: 'finishing',
  complete: 'complete',
  interrupted: 'interrupted',
  broken: 'broken off',
};

function RunTitle({ run, live }: { run: RunView; live: boolean }) {
  const detail = run.detail === '' || run.detail === 'load' ? '' : `: ${run.detail}`;
  return (
    <div class="run-title">
      <h2>
        {run.scenario} <span>{run.title}</span>
      </h2>
      <p class={`state ${run.state}`} data-state={run.state} aria-live={live ? 'polite' : undefined}>
        {STATES[run.state]}
        {detail}
      </p>
      <p class="run-id">
        {run.id}
        {run.id !== '' && (
          <>
            {' '}
            · <a href={addressOf('transactions', { run: run.id })}>its transactions</a> ·{' '}
            <a href={addressOf('queries', { run: run.id })}>ask its telemetry</a>
          </>
        )}
      </p>
    </div>
  );
}

function Tiles({ run }: { run: RunView }) {
  const last = run.points.at(-1);
  const requests = run.points.reduce((sum, point) => sum + point.requests, 0);
  const failed = run.points.reduce((sum, point) => sum + point.failed, 0);
  const refused = run.points.reduce((sum, point) => sum + point.throttled, 0);
  const tiles: [string, string][] = [
    ['second', last === undefined ? '–' : `${last.second + 1} of ${run.plannedSeconds}`],
    ['users', figure(last?.users)],
    ['requests/s', figure(last?.requests)],
    ['mean at the client', last?.clientMeanMs == null ? '–' : milliseconds(last.clientMeanMs)],
    ['95th percentile', last?.clientP95Ms == null ? '–' : milliseconds(last.clientP95Ms)],
    ['requests so far', figure(requests)],
    ['errors so far', figure(failed)],
    ['429 so far', figure(refused)],
  ];
  return (
    <dl class="tiles">
      {tiles.map(([name, value]) => (
        <div key={name} data-tile={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Turns({ run }: { run: RunView }) {
  if (run.turns.length === 0) return null;
  return (
    <section aria-label="Knobs turned">
      <h3>Knobs turned</h3>
      <ol class="turns">
        {run.turns.map(({ second, knob, from, to }) => (
          <li key={`${second}${knob}`}>
            at {figure(second)} s: {knob} from {from} to {to}
          </li>
        ))}
      </ol>
    </section>
  );
}
