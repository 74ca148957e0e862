import type { AppliedKnobs } from '../scenarios/index.js';
import { StackError } from './errors.js';
import { applyKnobs } from './knob-changes.js';
import type { StackParts } from './stack.js';

/**
 * Brings a stack back to the state of a fresh one: services that have ended are started again, every knob has the given
 * value, budgets are full and nothing is owed, latencies begin at their seed. Data and calibration are kept, which is
 * what makes it quick. Returns what had to be done, in words. Throws PROCESS_DIED for a stand-in that is gone.
 */
export async function restoreStack(
  parts: StackParts,
  wanted: { knobs: AppliedKnobs; seed: number },
): Promise<{ changed: string[] }> {
  const { database, services, telemetry, watch } = parts;
  const gone = [database.standIn?.process, telemetry?.process].find((one) => one?.hasEnded() === true);
  if (gone !== undefined) {
    throw new StackError(
      'PROCESS_DIED',
      `${gone?.name} has ended, and what it held with it; "lab down" and "lab up" start anew`,
      { lastLines: gone?.lastLines() ?? [] },
    );
  }
  const replaced = await services.restore(wanted.knobs);
  watch.forget();
  // As for a warm-up: switched on with the rest, the model would take whatever ran just now for one.
  const { changed } = await applyKnobs(parts, { ...wanted, model: 'off' });
  await database.applyModel(wanted.knobs, { model: 'on', seed: wanted.seed });
  await database.standIn?.control.reset({ budgets: true, metrics: true });
  return { changed: [...replaced, ...changed] };
}
