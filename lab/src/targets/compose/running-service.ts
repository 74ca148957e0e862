import { StackError } from '../../stack/errors.js';
import type { ComposeContainer, ComposeProject } from './compose-project.js';

export const PUBLIC_PORT = 8080;
export const INTERNAL_PORT = 9090;
export const COSMOS_PORT = 8081;

/** All running containers of a service; at least one. */
export async function containersOf(project: ComposeProject, service: string): Promise<ComposeContainer[]> {
  const found = (await project.containers()).filter((one) => one.service === service && one.running);
  if (found.length > 0) return found;
  throw new StackError('PROCESS_DIED', `the container of ${service} in project ${project.name} does not run`);
}

/** A running container of a service, and where it is reached. */
export async function serviceOf(project: ComposeProject, service: string): Promise<ComposeContainer> {
  const [first] = await containersOf(project, service);
  return first as ComposeContainer;
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
