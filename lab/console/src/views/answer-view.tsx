import { useState } from 'preact/hooks';
import type { QueryAnswered } from '../../../src/console/api.js';
import { figure } from '../format.js';
import { AnswerChart, isDrawable } from './answer-chart.js';

/** Rows drawn at most; more would only slow the page. */
const SHOWN_ROWS = 500;

export function AnswerView({ answer }: { answer: QueryAnswered }) {
  const drawable = isDrawable(answer);
  const [chosen, setChosen] = useState<'table' | 'chart' | null>(null);
  const shown = chosen ?? (answer.visualization !== null && drawable ? 'chart' : 'table');
  return (
    <section aria-label="Answer" class="answer">
      <div class="controls row">
        <span data-rows={answer.rows.length}>
          {answer.rows.length} {answer.rows.length === 1 ? 'row' : 'rows'}
        </span>
        <button type="button" aria-pressed={shown === 'table'} onClick={() => setChosen('table')}>
          Table
        </button>
        <button
          type="button"
          aria-pressed={shown === 'chart'}
          disabled={!drawable}
          title={drawable ? '' : 'a chart needs a column of numbers and at least one row'}
          onClick={() => setChosen('chart')}
        >
          Chart
        </button>
      </div>
      {shown === 'chart' && drawable ? <AnswerChart answer={answer} /> : <AnswerTable answer={answer} />}
    </section>
  );
}

function AnswerTable({ answer: { columns, rows } }: { answer: QueryAnswered }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section class="values" tabIndex={0} aria-label="Rows">
      <table>
        <thead>
          <tr>
            {columns.map(({ name }) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN_ROWS).map((row, at) => (
            <tr key={at}>
              {row.map((value, column) => (
                <td key={columns[column]?.name} class={typeof value === 'number' ? 'number' : undefined}>
                  {textOf(value)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > SHOWN_ROWS && (
        <p class="note">
          The first {SHOWN_ROWS} of {rows.length} rows.
        </p>
      )}
    </section>
  );
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return figure(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
