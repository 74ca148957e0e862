import { setTimeout as delay } from 'node:timers/promises';
import type { Turn } from '../../stack/turns.js';
import type { ComposeStack } from './compose-stack.js';
import { serviceOf } from './running-service.js';

const LOOK_EVERY_MS = 500;

/** Tells of each knob that another command turns from now on, until the signal fires; from then on it counts here too. */
export function followTurns(
  stack: ComposeStack,
  { signal, onTurn }: { signal: AbortSignal; onTurn: (turn: Turn) => void },
): void {
  void follow(stack, { signal, onTurn }).catch(() => {
    // By the signal, or by the end of the containers, which is noticed elsewhere. The load goes on without marks.
  });
}

async function follow(
  { project, memory, parts }: ComposeStack,
  { signal, onTurn }: { signal: AbortSignal; onTurn: (turn: Turn) => void },
): Promise<void> {
  const { id } = await serviceOf(project, 'cosmos-emulator');
  let seen = memory.read(id)?.turns.length ?? 0;
  while (!signal.aborted) {
    await delay(LOOK_EVERY_MS, undefined, { signal });
    const state = memory.read(id);
    for (const turned of state?.turns.slice(seen) ?? []) {
      parts.knobs = state?.knobs ?? null;
      seen += 1;
      onTurn(turned);
    }
  }
}
