import type { EngineName, LoadRun } from '@bottleneck-lab/loadtests';
import { loadProfile } from '@bottleneck-lab/loadtests';
import type { PhaseEvent } from '../stack/phases.js';
import type { LiveSecond } from './live-second.js';
import type { LiveSource } from './live-view.js';

/** A load as a target tells others of it, who may follow it and ask for other users. */
export interface LoadAnnouncement {
  phase(event: PhaseEvent): void;
  second(second: LiveSecond, source: LiveSource): void;
  /** The load itself, once it runs. */
  control(run: Pick<LoadRun, 'setVus'>): void;
  end(): void;
}

/** Where nobody can follow. */
export const UNANNOUNCED: LoadAnnouncement = {
  phase() {},
  second() {},
  control() {},
  end() {},
};

/** Why the users of a load can't be set while it runs; empty when they can. */
export function whyScriptFixesUsers(engine: EngineName, profile: string): string {
  if (engine !== 'builtin') {
    return `k6 takes the users of a load from its script when it starts (engine ${engine}); only the built-in engine can set them while it runs`;
  }
  return loadProfile(profile).model === 'open'
    ? `the profile ${profile} has arrivals by the clock, not users who wait for an answer`
    : '';
}
