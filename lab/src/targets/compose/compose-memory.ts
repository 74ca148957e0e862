import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Calibration } from '../../recording/index.js';
import type { AppliedKnobs } from '../../scenarios/index.js';
import { writeJsonAtomically } from '../../stack/atomic-file.js';
import { turn } from '../../stack/turns.js';

const memory = z.object({
  version: z.literal(1),
  /** The stand-in's container: with another one, all of it is forgotten. */
  database: z.string(),
  /** Null until a scenario was applied. */
  knobs: z.custom<AppliedKnobs>().nullable(),
  calibration: z.custom<Calibration>(),
  calibratedRate: z.number().positive(),
  turns: z.array(turn),
});
export type RememberedState = Omit<z.infer<typeof memory>, 'version'>;

/**
 * What containers can't tell by themselves: knobs, calibration, and who turned what. No process of the lab lives as long
 * as they do, so it lies in a file, where one command finds what another has done.
 */
export interface ComposeMemory {
  /** Null when nothing is known of these containers. */
  read(database: string): RememberedState | null;
  write(state: RememberedState): void;
  forget(): void;
}

export function composeMemory(stateDir: string, project: string): ComposeMemory {
  const file = path.join(stateDir, `compose-${project}.json`);
  return {
    read(database) {
      try {
        const found = memory.safeParse(JSON.parse(readFileSync(file, 'utf8')));
        return found.success && found.data.database === database ? found.data : null;
      } catch {
        // Not there or damaged: the next run writes it again.
        return null;
      }
    },
    write: (state) => writeJsonAtomically(file, { version: 1, ...state }),
    forget: () => rmSync(file, { force: true }),
  };
}
