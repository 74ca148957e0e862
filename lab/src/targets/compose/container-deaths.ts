import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ComposeProject } from './compose-project.js';

export interface ContainerDeath {
  id: string;
  service: string;
  exitCode: number;
}

const event = z.object({
  id: z.string(),
  Actor: z.object({ Attributes: z.record(z.string(), z.string()) }),
});

/**
 * The first container of a project that ends from now on and leaves its work to nobody. Listens to the engine's events,
 * as asking for the state of everything every second would take CPU from what is measured. Rejects when the signal fires
 * or the engine is gone.
 */
export function firstDeath(project: ComposeProject, signal: AbortSignal): Promise<ContainerDeath> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'docker',
      [
        ...[
          'events',
          '--filter',
          'event=die',
          '--filter',
          `label=com.docker.compose.project=${project.name}`,
        ],
        ...['--format', '{{json .}}'],
      ],
      { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true, signal },
    );
    createInterface({ input: child.stdout }).on('line', (line) => {
      const { id, Actor } = event.parse(JSON.parse(line));
      const { Attributes } = Actor;
      const death = {
        id,
        service: Attributes['com.docker.compose.service'] ?? '',
        exitCode: Number(Attributes.exitCode ?? 0),
      };
      isReplaced(project, death).then(
        (replaced) => {
          if (replaced) return;
          resolve(death);
          child.kill();
        },
        () => resolve(death),
      );
    });
    child.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    child.once('exit', () => reject(new Error('the docker engine has ended')));
  });
}

/** Long enough for a container that ends after another one has begun, as when a knob is turned. */
const REPLACED_WITHIN_MS = 1_000;

/** It ended in order, and others do its work. */
async function isReplaced(project: ComposeProject, { service, exitCode }: ContainerDeath): Promise<boolean> {
  if (exitCode !== 0) return false;
  await delay(REPLACED_WITHIN_MS);
  return (await project.containers()).some((one) => one.service === service && one.running);
}
