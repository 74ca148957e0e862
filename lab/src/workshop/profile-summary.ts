import { z } from 'zod';

/** The part of V8's profile that a summary is made of. Other fields are kept as they are. */
export const cpuProfile = z.looseObject({
  nodes: z.array(
    z.looseObject({
      id: z.number(),
      callFrame: z.looseObject({
        functionName: z.string(),
        url: z.string(),
        /** Counts from 0. */
        lineNumber: z.number(),
      }),
    }),
  ),
  samples: z.array(z.number()),
  /** Microseconds before each sample. */
  timeDeltas: z.array(z.number()),
});
export type CpuProfile = z.output<typeof cpuProfile>;

/** A function and the time in which it itself ran. */
export interface HotFunction {
  name: string;
  /** File and line, the folders left out; empty for the engine's own. */
  place: string;
  selfMs: number;
  /** Of the time in which the thread was not idle. */
  percent: number;
}

const IDLE = '(idle)';

/** The functions with most time of their own, idle time left out. */
export function hottestFunctions(profile: CpuProfile, count: number): HotFunction[] {
  const frames = new Map(profile.nodes.map(({ id, callFrame }) => [id, callFrame]));
  const selfUs = new Map<string, { name: string; place: string; us: number }>();
  let busyUs = 0;
  for (const [at, id] of profile.samples.entries()) {
    const frame = frames.get(id);
    // The time after a sample belongs to it.
    const us = Math.max(0, profile.timeDeltas[at + 1] ?? 0);
    if (frame === undefined || frame.functionName === IDLE) continue;
    busyUs += us;
    const place = frame.url === '' ? '' : `${frame.url.split('/').at(-1)}:${frame.lineNumber + 1}`;
    const name = frame.functionName || '(anonymous)';
    const key = `${name} ${frame.url}:${frame.lineNumber}`;
    const known = selfUs.get(key);
    if (known === undefined) selfUs.set(key, { name, place, us });
    else known.us += us;
  }
  return [...selfUs.values()]
    .sort((a, b) => b.us - a.us)
    .slice(0, count)
    .map(({ name, place, us }) => ({ name, place, selfMs: us / 1000, percent: (100 * us) / busyUs }));
}
