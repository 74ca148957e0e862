import type { Operation, OperationSpan } from '../../../src/telemetry/operation.js';
import { figure, milliseconds } from '../format.js';

interface Line {
  depth: number;
  span: OperationSpan;
}

function flatten(span: OperationSpan, depth: number): Line[] {
  return [{ depth, span }, ...span.children.flatMap((child) => flatten(child, depth + 1))];
}

/** Everything that one request caused, on one scale of time; waits for a retry are bars of their own. */
export function Waterfall({ operation }: { operation: Operation }) {
  const lines = operation.roots.flatMap((root) => flatten(root, 0));
  const spans = lines.map(({ span }) => span);
  const queries = spans.filter(({ type }) => type === 'Azure DocumentDB');
  const refused = queries.filter(({ resultCode }) => resultCode === '429').length;
  const waits = spans.filter(({ kind }) => kind === 'wait');
  const waitedMs = waits.reduce((sum, { durationMs }) => sum + durationMs, 0);
  const charge = spans.reduce((sum, { requestCharge }) => sum + (requestCharge ?? 0), 0);
  return (
    <>
      <h2>{operation.roots[0]?.name ?? 'Operation'}</h2>
      <p>
        {milliseconds(operation.durationMs)}, {queries.length} partition queries, {refused} answered 429,{' '}
        {milliseconds(waitedMs)} waited to retry, {figure(charge)} RU
      </p>
      <p class="run-id">
        {operation.operationId} · {operation.scenario} · step {operation.step}
      </p>
      <table class="waterfall">
        <thead>
          <tr>
            <th scope="col">what</th>
            <th scope="col">0 to {milliseconds(operation.durationMs)}</th>
            <th scope="col">status</th>
            <th scope="col">ms</th>
            <th scope="col">partition</th>
            <th scope="col">RU</th>
            <th scope="col">attempt</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ depth, span }) => (
            <tr key={span.id} class={rowClass(span)} data-kind={span.kind}>
              <th scope="row" style={{ paddingLeft: `${depth * 0.9 + 0.25}em` }}>
                {nameOf({ depth, span })}
              </th>
              <td class="lane">
                <span
                  class="bar"
                  style={{
                    left: `${(100 * span.startMs) / operation.durationMs}%`,
                    width: `${Math.max(0.4, (100 * span.durationMs) / operation.durationMs)}%`,
                  }}
                />
              </td>
              <td>{span.kind === 'wait' ? 'wait' : span.resultCode}</td>
              <td>{figure(span.durationMs)}</td>
              <td>{span.partition ?? ''}</td>
              <td>
                {span.requestCharge === null || span.requestCharge === 0 ? '' : figure(span.requestCharge)}
              </td>
              <td>{span.attempt ?? ''}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function rowClass({ kind, success, resultCode }: OperationSpan): string {
  if (kind === 'wait') return 'wait';
  if (resultCode === '429') return 'throttled';
  return success ? kind : 'failed';
}

function nameOf({ depth, span }: Line): string {
  if (span.kind === 'wait')
    return span.retryAfterMs === null
      ? 'waiting to retry'
      : `waiting to retry (asked for ${span.retryAfterMs} ms)`;
  if (span.kind === 'request') return `${depth === 0 ? `${span.role}: ` : ''}${span.name}`;
  return span.type === 'Http' ? `call to ${span.target}` : span.type;
}
