/** A step of starting or changing a stack, as it is shown with its time. */
export interface PhaseEvent {
  name: string;
  state: 'begin' | 'end' | 'failed' | 'interrupted';
  /** From the phase's beginning; 0 at the beginning. */
  elapsedMs: number;
  /** What came of it, for example `9 physical partitions, 12,961 documents`. */
  detail: string;
}
export type OnPhase = (event: PhaseEvent) => void;

/** Runs a step and reports its beginning, its time and its outcome. */
export async function phase<Result>(
  options: { name: string; onPhase: OnPhase; detail?: (result: Result) => string },
  run: () => Promise<Result>,
): Promise<Result> {
  const { name, onPhase, detail } = options;
  const startedAt = performance.now();
  const elapsedMs = () => Math.round(performance.now() - startedAt);
  onPhase({ name, state: 'begin', elapsedMs: 0, detail: '' });
  try {
    const result = await run();
    onPhase({ name, state: 'end', elapsedMs: elapsedMs(), detail: detail?.(result) ?? '' });
    return result;
  } catch (error) {
    const state = (error as Error).name === 'InterruptedError' ? 'interrupted' : 'failed';
    onPhase({ name, state, elapsedMs: elapsedMs(), detail: (error as Error).message });
    throw error;
  }
}
