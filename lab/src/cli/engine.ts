import type { EngineName } from '@bottleneck-lab/loadtests';
import { UsageError } from './errors.js';

/** Ends a command that could not generate load, before anything is started for it. */
export async function requireEngine(name: EngineName): Promise<void> {
  // The built-in one is always there, and loading it here would hold up the start of the stack.
  if (name === 'builtin') return;
  const { findEngine } = await import('@bottleneck-lab/loadtests');
  const { available, reason } = await findEngine(name, {
    onFetch: (image) => process.stderr.write(`pulling ${image} ...\n`),
  });
  if (available) return;
  throw new UsageError(
    `--engine ${name} can not be used: ${reason}. The built-in engine runs the same scripts: --engine builtin`,
  );
}
