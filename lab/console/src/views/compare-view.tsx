import { useMemo } from 'preact/hooks';
import type { ComparedPair, ComparedRuns, RunListed, RunView } from '../../../src/console/api.js';
import { path } from '../api-client.js';
import { Chart } from '../charts/chart.js';
import { answersChart, type ChartSpec, cpuChart, durationChart, loadChart } from '../charts/chart-specs.js';
import { type Palette, paletteOf } from '../charts/palette.js';
import { figure, shortTime } from '../format.js';
import { theme } from '../preferences.js';
import { route, setParams } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';

const MOST_RUNS = 4;

/** Runs side by side on the same axes, and each measure judged against the first. */
export function CompareView() {
  const { params } = useStore(route);
  const listed = useAnswer<RunListed[]>('/api/runs');
  const chosen = (params.runs ?? '').split(',').filter((id) => id !== '');
  const compared = useAnswer<ComparedRuns>(
    chosen.length < 2 ? null : path('/api/compare', { runs: chosen.join(',') }),
  );
  return (
    <>
      {/* A mystery beside another run would tell what was set. */}
      <RunTable
        runs={listed.value?.filter((run) => !run.sealed || run.scenario !== 'mystery') ?? []}
        chosen={chosen}
      />
      {compared.error !== '' && <p class="error">{compared.error}</p>}
      {compared.value !== null && (
        <>
          <SideBySide runs={compared.value.runs} />
          {compared.value.comparisons.map((pair) => (
            <Judgement key={pair.second} pair={pair} />
          ))}
        </>
      )}
    </>
  );
}

function RunTable({ runs, chosen }: { runs: readonly RunListed[]; chosen: readonly string[] }) {
  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id];
    setParams({ runs: next.join(',') });
  };
  if (runs.length === 0) return <p class="note">No run yet.</p>;
  return (
    <details class="run-list" open={chosen.length < 2}>
      <summary>Choose two to {MOST_RUNS} runs; the others are judged against the one chosen first</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section class="values" tabIndex={0} aria-label="Runs">
        <table>
          <thead>
            <tr>
              {['', 'run', 'when', 'seconds', 'state', 'bottleneck found'].map((title) => (
                <th scope="col" key={title}>
                  {title === '' ? <span class="unseen">chosen</span> : title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr key={run.id}>
                <td>
                  <input
                    type="checkbox"
                    aria-label={run.id}
                    checked={chosen.includes(run.id)}
                    disabled={!chosen.includes(run.id) && chosen.length >= MOST_RUNS}
                    onChange={() => toggle(run.id)}
                  />
                </td>
                <th scope="row">{run.scenario}</th>
                <td>{shortTime(run.startedAt)}</td>
                <td>{run.plannedSeconds}</td>
                <td>
                  {run.status}
                  {run.valid ? '' : ', machine too busy'}
                  {run.turned === 0 ? '' : ', knobs turned'}
                </td>
                <td class="words">{run.sealed ? 'to be found' : run.bottleneck}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

const specsOf = (run: RunView, palette: Palette): ChartSpec[] => [
  loadChart(palette),
  durationChart(palette),
  cpuChart(run, palette),
  answersChart(palette),
];

function SideBySide({ runs }: { runs: readonly RunView[] }) {
  const colours = useStore(theme);
  const columns = useMemo(() => {
    const specs = runs.map((run) => specsOf(run, paletteOf(colours)));
    return runs.map((run, column) =>
      (specs[column] ?? []).map((spec, row) => ({ spec, state: stateOf({ run, row, specs, runs }) })),
    );
  }, [runs, colours]);
  return (
    <div class="side-by-side" data-runs={runs.length}>
      {runs.map((run, column) => (
        <section key={run.id} aria-label={run.id}>
          <h2>
            {run.scenario} <span>{column === 0 ? 'first' : ''}</span>
          </h2>
          <p class="run-id">{run.id}</p>
          {columns[column]?.map(({ spec, state }) => (
            <Chart
              key={spec.id}
              compact
              spec={spec}
              points={run.points}
              state={state}
              name={`${spec.title}, ${run.id}`}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

/** Every run's chart of a kind ends at the highest value of all. */
function stateOf(at: { run: RunView; row: number; specs: ChartSpec[][]; runs: readonly RunView[] }) {
  const { run, row, specs, runs } = at;
  const top = { left: 0, right: 0 };
  for (const [column, other] of runs.entries()) {
    for (const line of specs[column]?.[row]?.lines ?? []) {
      const side = line.right ? 'right' : 'left';
      for (const value of line.values(other.points)) top[side] = Math.max(top[side], value ?? 0);
    }
  }
  const seconds = Math.max(...runs.map(({ plannedSeconds }) => plannedSeconds));
  return { seconds, steps: run.steps, turns: run.turns, top };
}

function Judgement({ pair }: { pair: ComparedPair }) {
  const { first, second, refused, knobs, notes, differences } = pair;
  const shown = differences.filter(({ verdict }) => verdict !== 'within noise');
  const quiet = differences.length - shown.length;
  return (
    <section class="judgement" aria-label={`${second} against ${first}`}>
      <h2>
        {second} <span>against {first}</span>
      </h2>
      {refused !== '' && <p class="warning">{refused}</p>}
      {knobs.length > 0 && (
        <p>
          Turned between them:{' '}
          {knobs
            .map((one) => `${one.knob} ${JSON.stringify(one.first)} → ${JSON.stringify(one.second)}`)
            .join(', ')}
        </p>
      )}
      {notes.map((note) => (
        <p key={note} class="warning">
          {note}
        </p>
      ))}
      {shown.length > 0 && (
        <table class="differences">
          <thead>
            <tr>
              {['measure', 'first', 'second', 'change', 'noise', 'judged'].map((title) => (
                <th scope="col" key={title}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <tr key={one.measure} class={one.verdict.replace(' ', '-')}>
                <th scope="row">
                  {one.measure} <small>{one.unit}</small>
                </th>
                <td>{figure(one.first)}</td>
                <td>{figure(one.second)}</td>
                <td>
                  {one.changePercent === null
                    ? '–'
                    : `${one.changePercent > 0 ? '+' : ''}${figure(one.changePercent)} %`}
                </td>
                <td>± {figure(one.noise)}</td>
                <td>{one.verdict}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {refused === '' && (
        <p data-quiet={quiet}>
          {quiet} of {differences.length} measures differ by no more than two repeats of one run may.
        </p>
      )}
    </section>
  );
}
