import type { OperationListed } from '../../../src/console/api.js';
import type { Operation } from '../../../src/telemetry/operation.js';
import { path } from '../api-client.js';
import { consoleState } from '../connection.js';
import { figure, milliseconds } from '../format.js';
import { addressOf, route, setParams } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';
import { NoTelemetry, RunChoice, useAskableRuns } from './run-choice.js';
import { Waterfall } from './waterfall.js';

const LISTS = ['slowest', 'failed', 'throttled', 'random'] as const;

/** Operations of a range of the load, and one of them in full. */
export function TransactionsView() {
  const { params } = useStore(route);
  const telemetry = useStore(consoleState)?.telemetry;
  const runs = useAskableRuns();
  const run = params.run ?? runs[0]?.id ?? '';
  const list = LISTS.find((known) => known === params.list) ?? 'slowest';
  const asked = { run, list, from: params.from, to: params.to };
  const operations = useAnswer<OperationListed[]>(run === '' ? null : path('/api/operations', asked));
  const { op } = params;
  const operation = useAnswer<Operation>(
    run === '' || op === undefined ? null : path(`/api/operations/${op}`, { run }),
  );
  if (run === '') return <NoTelemetry reason={telemetry?.reason ?? ''} />;
  return (
    <>
      <div class="controls row">
        <RunChoice runs={runs} value={run} />
        <fieldset class="choices">
          <legend class="unseen">Operations</legend>
          {LISTS.map((name) => (
            <label key={name}>
              <input
                type="radio"
                name="list"
                checked={name === list}
                onChange={() => setParams({ list: name })}
              />
              {name}
            </label>
          ))}
        </fieldset>
        <Range name="from" label="from second" value={params.from} />
        <Range name="to" label="to" value={params.to} />
        <button type="button" onClick={operations.reload}>
          {list === 'random' ? 'Draw again' : 'Reload'}
        </button>
      </div>
      {operations.error !== '' && <p class="error">{operations.error}</p>}
      <div class="transactions">
        <OperationTable
          operations={operations.value}
          loading={operations.loading}
          chosen={op}
          params={params}
        />
        <section aria-label="Transaction" class="transaction">
          {operation.error !== '' && <p class="error">{operation.error}</p>}
          {operation.value !== null && <Waterfall operation={operation.value} />}
          {op === undefined && <p class="note">Choose an operation to see what it waited for.</p>}
        </section>
      </div>
    </>
  );
}

function Range({ name, label, value }: { name: 'from' | 'to'; label: string; value: string | undefined }) {
  return (
    <label>
      {label}{' '}
      <input
        type="number"
        min={0}
        value={value ?? ''}
        onChange={(event) => setParams({ [name]: event.currentTarget.value })}
      />
    </label>
  );
}

function OperationTable({
  operations,
  loading,
  chosen,
  params,
}: {
  operations: readonly OperationListed[] | null;
  loading: boolean;
  chosen: string | undefined;
  params: Record<string, string>;
}) {
  if (operations === null) return <p class="note">{loading ? 'Asking…' : ''}</p>;
  if (operations.length === 0) return <p class="note">No such operation in this range.</p>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="values operations" tabIndex={0} aria-label="Operations">
      <table>
        <thead>
          <tr>
            <th scope="col">at second</th>
            <th scope="col">duration</th>
            <th scope="col">status</th>
            <th scope="col">queries</th>
            <th scope="col">429</th>
            <th scope="col">waiting</th>
            <th scope="col">RU</th>
          </tr>
        </thead>
        <tbody>
          {operations.map((one) => (
            <tr key={one.operationId} aria-current={one.operationId === chosen ? 'true' : undefined}>
              <th scope="row">
                <a href={addressOf('transactions', { ...params, op: one.operationId })}>
                  {one.second === null ? '–' : one.second.toFixed(1)}
                </a>
              </th>
              <td>{milliseconds(one.durationMs)}</td>
              <td>{one.resultCode}</td>
              <td>{one.partitionQueries}</td>
              <td>{one.throttled}</td>
              <td>{milliseconds(one.waitMs)}</td>
              <td>{figure(one.requestUnits)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
