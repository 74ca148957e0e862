import type { RunView } from '../../../src/console/api.js';
import { addressOf } from '../router.js';

/** A run whose bottleneck is for somebody to find. */
function Sealed({ run }: { run: RunView }) {
  return (
    <section class="outcome" aria-label="Outcome" data-sealed>
      <h3>What holds it back?</h3>
      {run.result?.valid === false && (
        <p class="warning">
          The machine was too busy to measure, so nothing can be judged by this run:{' '}
          {run.result.problems.join('; ')}
        </p>
      )}
      <p>
        The diagnosis is shown when you have found it: answer in the view{' '}
        <a href={addressOf('workshop', { exercise: run.scenario })}>Workshop</a>.
      </p>
    </section>
  );
}

/** What the diagnosis says of a run that has ended. */
export function RunOutcome({ run }: { run: RunView }) {
  const { result } = run;
  if (run.sealed && (result !== null || run.state === 'complete')) return <Sealed run={run} />;
  if (result === null) return null;
  return (
    <section class="outcome" aria-label="Outcome">
      <h3>{result.bottleneck}</h3>
      {!result.valid && (
        <p class="warning">
          The machine was too busy to measure, so these figures say nothing about the system:{' '}
          {result.problems.join('; ')}
        </p>
      )}
      <details>
        <summary>Evidence and next experiment</summary>
        <ul>
          {result.evidence.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
        {result.next.map((text) => (
          <p key={text}>Next: {text}</p>
        ))}
      </details>
    </section>
  );
}
