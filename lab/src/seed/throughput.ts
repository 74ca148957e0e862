import type { Container } from '@azure/cosmos';
import { StackError } from '../stack/errors.js';

/** The container's provisioned RU/s. */
export async function readThroughput(container: Container): Promise<number> {
  return (await readOffer(container)).ruPerSecond;
}

/** Sets the container's provisioned RU/s; nothing is sent when it has that already. Returns whether it changed. */
export async function setThroughput(container: Container, ruPerSecond: number): Promise<boolean> {
  const { offer, definition, ruPerSecond: before } = await readOffer(container);
  if (before === ruPerSecond) return false;
  const content = { ...definition.content, offerThroughput: ruPerSecond };
  await offer.replace({ ...definition, content } as typeof definition);
  return true;
}

/** Who tells and sets a container's throughput. */
export interface ThroughputControl {
  /** RU/s. Throws for a container whose throughput can not be set. */
  read(container: Container): Promise<number>;
  /** Returns whether it changed. */
  set(container: Container, ruPerSecond: number): Promise<boolean>;
}

/** The account's own offers, on Azure and on the stand-in; with a key only. */
export const OFFERS: ThroughputControl = { read: readThroughput, set: setThroughput };

async function readOffer(container: Container) {
  const { offer, resource: definition } = await container.readOffer();
  if (offer === undefined || definition?.content === undefined) {
    throw new StackError(
      'SEED_FAILED',
      `container ${container.id} has no throughput of its own (serverless account, or throughput shared by the ` +
        'database); the lab needs containers with manual throughput',
    );
  }
  if (definition.content.offerAutopilotSettings !== undefined) {
    throw new StackError(
      'SEED_FAILED',
      `container ${container.id} scales automatically; the lab needs manual throughput, as the scenarios fix it`,
    );
  }
  return { offer, definition, ruPerSecond: definition.content.offerThroughput };
}
