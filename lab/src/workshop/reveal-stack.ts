import { findStack } from '../stack/find-stack.js';
import type { StateDir } from '../stack/state-dir.js';

/** What a stack has set for a mystery may be seen again, once that is solved. Nothing where no stack runs. */
export async function revealStack(dir: StateDir): Promise<void> {
  const stack = await findStack(dir).catch(() => null);
  // A stack that does not answer shows nothing either; the next run or reset sets it right.
  if (stack?.found && stack.status.knobsHidden) await stack.client.reveal().catch(() => {});
}
