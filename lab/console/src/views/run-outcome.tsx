import type { RunView } from '../../../src/console/api.js';

/** What the diagnosis says of a run that has ended. */
export function RunOutcome({ run }: { run: RunView }) {
  const { result } = run;
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
