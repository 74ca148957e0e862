import { useState } from 'preact/hooks';
import type { AnswerJudged, WorkshopView } from '../../../src/console/api.js';
import { call } from '../api-client.js';
import { consoleState } from '../connection.js';
import { addressOf, route, setParams } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';

const MYSTERY = 'mystery';

/** An exercise, or the mystery, and an answer to it that is judged by what a run has measured. */
export function WorkshopPage() {
  const { params } = useStore(route);
  const readOnly = useStore(consoleState)?.readOnly === true;
  const { value: workshop, error } = useAnswer<WorkshopView>('/api/workshop');
  if (error !== '') return <p class="error">{error}</p>;
  if (workshop === null) return <p class="note">Loading…</p>;
  const chosen = params.exercise ?? workshop.exercises[0]?.scenario ?? MYSTERY;
  const exercise = workshop.exercises.find(({ scenario }) => scenario === chosen);
  return (
    <>
      <div class="controls row">
        <label>
          Exercise{' '}
          <select value={chosen} onChange={(event) => setParams({ exercise: event.currentTarget.value })}>
            {workshop.exercises.map(({ scenario, number, title }) => (
              <option key={scenario} value={scenario}>
                {number}: {title}
              </option>
            ))}
            <option value={MYSTERY}>Mystery: which is it this time?</option>
          </select>
        </label>
      </div>
      <section class="exercise" aria-label="Exercise">
        {exercise === undefined ? (
          <p>
            Start the scenario "{MYSTERY}" in the view <a href={addressOf('run')}>Run</a>. It is one of the
            exercises; what was set is hidden until you have found what holds it back.
          </p>
        ) : (
          <>
            <p>{exercise.story}</p>
            <ol>
              {exercise.questions.map((question) => (
                <li key={question}>{question}</li>
              ))}
            </ol>
            <p class="hint">
              {exercise.minutes} minutes, discussion included. Start {exercise.scenario} in the view{' '}
              <a href={addressOf('run')}>Run</a>, without the diagnosis.
            </p>
          </>
        )}
      </section>
      {readOnly ? (
        <p class="note">Answers are given where the console was started, or by "lab check".</p>
      ) : (
        <AnswerForm key={chosen} exercise={chosen} workshop={workshop} />
      )}
    </>
  );
}

function AnswerForm({ exercise, workshop }: { exercise: string; workshop: WorkshopView }) {
  const [bottleneck, setBottleneck] = useState('');
  const [fix, setFix] = useState('');
  const [evidence, setEvidence] = useState<string[]>([]);
  const [judged, setJudged] = useState<AnswerJudged | null>(null);
  const [error, setError] = useState('');
  const [revealed, setRevealed] = useState<AnswerJudged['revealed']>(null);
  const send = async <Result,>(path: string, body: unknown) => {
    setError('');
    try {
      return await call<Result>(path, { method: 'POST', body });
    } catch (cause) {
      setError((cause as Error).message);
      return null;
    }
  };
  const answer = async (event: Event) => {
    event.preventDefault();
    // A number is asked for only once the bottleneck is right; those not given yet are missing at the end.
    const numbers = evidence.filter((text) => text.trim() !== '');
    const result = await send<AnswerJudged>('/api/workshop/check', {
      exercise,
      bottleneck,
      fix,
      evidence: numbers,
    });
    setJudged(result);
    setRevealed(result?.revealed ?? null);
  };
  const giveUp = async () => {
    setJudged(null);
    setRevealed(await send<AnswerJudged['revealed']>('/api/workshop/give-up', { exercise }));
  };
  const asked = judged?.evidence.filter(({ ask }) => ask !== null) ?? [];
  return (
    <>
      <form class="controls answer-form" onSubmit={answer} aria-label="Answer">
        <Choice label="What holds it back" value={bottleneck} onChoice={setBottleneck}>
          {workshop.bottlenecks.map((name) => ({ name, text: name }))}
        </Choice>
        {asked.map(({ ask }, at) => (
          <label key={ask}>
            {ask}{' '}
            <input
              value={evidence[at] ?? ''}
              onInput={(event) =>
                setEvidence(Object.assign([...evidence], { [at]: event.currentTarget.value }))
              }
            />
          </label>
        ))}
        <Choice label="What would help" value={fix} onChoice={setFix}>
          {workshop.fixes}
        </Choice>
        <div class="row">
          <button type="submit" class="primary">
            Judge
          </button>{' '}
          <button type="button" onClick={giveUp}>
            {exercise === MYSTERY ? 'Give up and reveal it' : 'Give up and show the diagnosis'}
          </button>
        </div>
        {error !== '' && (
          <p class="error" role="alert">
            {error}
          </p>
        )}
      </form>
      {judged !== null && <Judged judged={judged} />}
      {revealed !== null && (
        <p role="status" data-revealed={revealed.scenario}>
          {exercise === MYSTERY ? 'It was ' : 'Its diagnosis is open now: '}
          <a href={addressOf('run', { run: revealed.run })}>{revealed.scenario}</a>.
        </p>
      )}
    </>
  );
}

function Choice({
  label,
  value,
  onChoice,
  children,
}: {
  label: string;
  value: string;
  onChoice: (name: string) => void;
  children: { name: string; text: string }[];
}) {
  return (
    <label>
      {label}{' '}
      <select required value={value} onChange={(event) => onChoice(event.currentTarget.value)}>
        <option value="">choose…</option>
        {children.map(({ name, text }) => (
          <option key={name} value={name}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

function Judged({ judged }: { judged: AnswerJudged }) {
  const { bottleneck, evidence, fix, right, afterwards, revealed, run } = judged;
  const parts = [
    { name: 'Bottleneck', ...bottleneck },
    ...evidence.map((part, at) => ({ name: `Number ${at + 1}`, ...part })),
    { name: 'Fix', ...fix },
  ];
  return (
    <section class="outcome" aria-label="Judgement" aria-live="polite" data-right={right}>
      <h2>{right ? 'Right.' : 'Not yet.'}</h2>
      <dl class="judged">
        {parts.map(({ name, ok, reply }) => (
          <div key={name} class={ok === null ? 'open' : ok ? 'right' : 'wrong'}>
            <dt>{name}</dt>
            <dd>{reply}</dd>
          </div>
        ))}
      </dl>
      {revealed === null && afterwards !== null && <p>{afterwards}</p>}
      <p class="run-id">judged by {run}</p>
    </section>
  );
}
