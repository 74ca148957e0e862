// Preloaded into every measured process (`node --import`), the project's own and the yardsticks alike, so that CPU time is
// taken in the same way: by the process itself, when the benchmark asks.
import process from 'node:process';

/** Answers given by this process, where it counts them. */
export const answered = { count: 0 };

process.on('message', (message) => {
  if (/** @type {{ type?: unknown } | null} */ (message)?.type !== 'bench:read') return;
  const { user, system } = process.cpuUsage();
  process.send?.({ type: 'bench:reading', cpuMs: (user + system) / 1000, answered: answered.count });
});

/**
 * Says that a process of the benchmark listens, and lets it end on request or with the benchmark.
 * @param {Record<string, unknown>} details
 */
export function announce(details) {
  process.on('disconnect', () => process.exit());
  process.on('message', (message) => {
    if (/** @type {{ type?: unknown } | null} */ (message)?.type === 'shutdown') process.exit();
  });
  process.send?.({ type: 'listening', ...details });
}
