import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { loadProfile, type Profile } from '@bottleneck-lab/loadtests';
import type { ScenarioLoad } from '../scenarios/index.js';

/** A profile as the load script takes it: by name, or as a file when the scenario changes something about it. */
export function profileFor(
  load: ScenarioLoad,
  folder: string,
): { reference: string; thinkTimeSeconds: number } {
  const { path: _path, ...profile } = loadProfile(load.profile);
  const changed = changeProfile(profile, load);
  const { thinkTimeSeconds } = changed;
  if (JSON.stringify(changed) === JSON.stringify(profile))
    return { reference: profile.name, thinkTimeSeconds };
  const file = path.join(folder, `${profile.name}-changed.json`);
  writeFileSync(file, JSON.stringify(changed));
  return { reference: file, thinkTimeSeconds };
}

/** `maxUsers` stretches the whole profile, so that its shape stays. */
export function changeProfile(
  profile: Omit<Profile, 'path'>,
  { maxUsers, thinkTimeSeconds }: ScenarioLoad,
): Omit<Profile, 'path'> {
  const highest = Math.max(profile.start, ...profile.stages.map(({ target }) => target));
  const factor = maxUsers === undefined || highest === 0 ? 1 : maxUsers / highest;
  const stretch = (users: number) => (users === 0 ? 0 : Math.max(1, Math.round(users * factor)));
  return {
    ...profile,
    thinkTimeSeconds: thinkTimeSeconds ?? profile.thinkTimeSeconds,
    start: stretch(profile.start),
    stages: profile.stages.map((stage) => ({ ...stage, target: stretch(stage.target) })),
  };
}
