import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { z } from 'zod';

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
 * The first container of a project that ends from now on. Listens to the engine's events, as asking for the state of
 * everything every second would take CPU from what is measured. Rejects when the signal fires or the engine is gone.
 */
export function firstDeath(project: string, signal: AbortSignal): Promise<ContainerDeath> {
  return new Promise((resolve, reject) => {
    const child = spawn(
      'docker',
      [
        ...['events', '--filter', 'event=die', '--filter', `label=com.docker.compose.project=${project}`],
        ...['--format', '{{json .}}'],
      ],
      { stdio: ['ignore', 'pipe', 'ignore'], windowsHide: true, signal },
    );
    createInterface({ input: child.stdout }).once('line', (line) => {
      const { id, Actor } = event.parse(JSON.parse(line));
      const { Attributes } = Actor;
      resolve({
        id,
        service: Attributes['com.docker.compose.service'] ?? '',
        exitCode: Number(Attributes.exitCode ?? 0),
      });
      child.kill();
    });
    child.once('error', (error) => reject(signal.aborted ? (signal.reason as Error) : error));
    child.once('exit', () => reject(new Error('the docker engine has ended')));
  });
}
