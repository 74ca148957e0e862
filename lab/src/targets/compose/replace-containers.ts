import type { ComposeProject } from './compose-project.js';
import { untilReady } from './until-ready.js';

/**
 * Puts new containers of a service in the place of those it has: the new ones first, and when they are ready the old ones
 * end, which closes the gateway's connections in order. So no request fails, and the new connections, each by a look-up of
 * the service's name, are spread over all that there are. A container that has ended is removed.
 */
export async function replaceContainers(
  project: ComposeProject,
  wanted: { service: string; containers: number; variables: Record<string, string> },
): Promise<void> {
  const { service, containers, variables } = wanted;
  const all = (await project.containers()).filter((one) => one.service === service);
  await project.remove(all.filter((one) => !one.running).map(({ id }) => id));
  const old = all.filter((one) => one.running).map(({ id }) => id);
  await project.scale(service, { containers: old.length + containers, variables });
  await untilReady(project, service);
  await project.remove(old);
  // It opens its connections to the new ones by itself.
  await untilReady(project, 'gateway');
}
