import { StackError } from '../../stack/errors.js';
import type { ComposeContainer, ComposeProject } from './compose-project.js';

export const PUBLIC_PORT = 8080;
export const INTERNAL_PORT = 9090;
export const COSMOS_PORT = 8081;

/** A running container of a service, and where it is reached. */
export async function serviceOf(project: ComposeProject, service: string): Promise<ComposeContainer> {
  const found = (await project.containers()).find((one) => one.service === service && one.running);
  if (found !== undefined) return found;
  throw new StackError('PROCESS_DIED', `the container of ${service} in project ${project.name} does not run`);
}

/** Where a port is reached from here. */
export function urlOf({ service, urls }: ComposeContainer, port: number): string {
  const url = urls[port];
  if (url !== undefined) return url;
  throw new StackError(
    'CONTROL_FAILED',
    `port ${port} of ${service} is not published; these containers were not started by "lab up --target compose": ` +
      'stop them with "docker compose down" first',
  );
}
