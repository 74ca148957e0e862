import type { RunListed } from '../../../src/console/api.js';
import { currentRun } from '../connection.js';
import { shortTime } from '../format.js';
import { setParams } from '../router.js';
import { useStore } from '../store.js';
import { useAnswer } from '../use-answer.js';

/** Runs whose telemetry can be asked: the one that goes on, and those on disk. */
export function useAskableRuns(): { id: string; label: string }[] {
  const current = useStore(currentRun);
  // A run that has ended is on disk.
  const listed = useAnswer<RunListed[]>('/api/runs', current?.state).value ?? [];
  const onDisk = listed
    .filter(({ telemetry }) => telemetry)
    .map(({ id, scenario, startedAt }) => ({ id, label: `${scenario}, ${shortTime(startedAt)}` }));
  if (current === null || current.id === '' || onDisk.some(({ id }) => id === current.id)) return onDisk;
  return current.state === 'loading' || current.state === 'finishing'
    ? [{ id: current.id, label: `${current.scenario}, now` }, ...onDisk]
    : onDisk;
}

export function RunChoice({
  runs,
  value,
}: {
  runs: readonly { id: string; label: string }[];
  value: string;
}) {
  // An address may hold only the beginning of a run's name.
  const chosen = runs.find(({ id }) => value !== '' && id.startsWith(value))?.id ?? value;
  return (
    <label>
      Run{' '}
      <select
        value={chosen}
        onChange={(event) => setParams({ run: event.currentTarget.value, op: undefined })}
      >
        {!runs.some(({ id }) => id === chosen) && (
          <option value={chosen}>{chosen === '' ? '–' : chosen}</option>
        )}
        {runs.map(({ id, label }) => (
          <option key={id} value={id}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}

/** What to do where no run has telemetry. */
export function NoTelemetry({ reason }: { reason: string }) {
  return (
    <p class="note">
      No run with telemetry yet. {reason === '' ? 'Start one in the view "Run".' : `Here, ${reason}.`}
    </p>
  );
}
