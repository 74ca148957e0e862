import { StackError } from '../stack/errors.js';
import { turnKnob } from '../stack/knob-changes.js';
import { USERS_KNOB } from '../stack/turns.js';
import { openRunningContainers } from './compose.js';
import type { KnobStack } from './knob.js';
import { stackRows } from './knob-lines.js';

const WHY_NOT_USERS =
  'a load on containers is run by a process that takes no orders; only --target local can';

/** The knobs of containers that run. A load on them, run by another process, is told by a file. */
export async function openComposeKnobs(options: { stateDir?: string }): Promise<KnobStack> {
  const stack = await openRunningContainers(options);
  const { parts } = stack;
  return {
    rows: () => [
      ...stackRows(parts.knobs),
      { knob: USERS_KNOB, value: null, unit: 'users', turnable: false, reason: WHY_NOT_USERS },
    ],
    async turn(name, value) {
      if (name === USERS_KNOB) throw new StackError('KNOB_REFUSED', `${name}: ${WHY_NOT_USERS}`);
      return stack.rememberTurn(await turnKnob(parts, name, value));
    },
    close: () => stack.close(),
  };
}
