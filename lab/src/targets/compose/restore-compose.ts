import type { AppliedKnobs } from '../../scenarios/index.js';
import { StackError } from '../../stack/errors.js';
import { applyKnobs } from '../../stack/knob-changes.js';
import type { ComposeProject } from './compose-project.js';
import { attachToStack, type ComposeStack, SERVICES } from './compose-stack.js';
import { untilReady } from './until-ready.js';

/**
 * Brings containers back to the state of fresh ones: those that have ended are started again, every knob has the given
 * value, budgets are full, latencies begin at their seed. Data and calibration are kept. Returns what had to be done.
 */
export async function restoreCompose(
  project: ComposeProject,
  wanted: { knobs: AppliedKnobs; stateDir: string },
): Promise<{ changed: string[] }> {
  const restarted = await startEnded(project);
  const stack: ComposeStack = await attachToStack(project, wanted);
  const { parts, control } = stack;
  try {
    // As for a warm-up: switched on with the rest, the model would take whatever ran just now for one.
    const { changed } = await applyKnobs(parts, { knobs: wanted.knobs, seed: parts.seed, model: 'off' });
    await parts.database.applyModel(wanted.knobs, { model: 'on', seed: parts.seed });
    await control.reset({ budgets: true, metrics: true });
    stack.remember();
    return { changed: [...restarted.map((name) => `${name} started again`), ...changed] };
  } finally {
    await stack.close();
  }
}

/** The stand-in keeps its account in memory, so that one that has ended took the data with it. */
async function startEnded(project: ComposeProject): Promise<string[]> {
  const containers = await project.containers();
  const runs = (service: string) => containers.some((one) => one.service === service && one.running);
  const [, database = '', ...services] = SERVICES;
  if (!runs(database)) {
    throw new StackError(
      'PROCESS_DIED',
      `${database} of project ${project.name} does not run, and what it held is gone; ` +
        '"lab down --target compose" and "lab up --target compose" start anew',
    );
  }
  const ended = services.filter((service) => !runs(service));
  const old = containers.filter((one) => ended.includes(one.service)).map(({ id }) => id);
  if (ended.length === 0) return [];
  await project.restart(old);
  await Promise.all(ended.map((service) => untilReady(project, service)));
  await untilReady(project, 'gateway');
  return ended;
}
