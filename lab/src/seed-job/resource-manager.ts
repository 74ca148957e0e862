import { setTimeout as delay } from 'node:timers/promises';
import { DATABASE } from '@bottleneck-lab/contracts';
import { z } from 'zod';
import type { ThroughputControl } from '../seed/index.js';
import { StackError } from '../stack/errors.js';

/** What signs requests to Azure: a part of @azure/identity's credentials. */
export interface TokenSource {
  getToken(scope: string): Promise<{ token: string } | null>;
}

const RESOURCE_MANAGER = 'https://management.azure.com';
const API_VERSION = '2024-11-15';
/** Raising throughput beyond what the partitions carry takes Azure minutes to hours; lowering it takes seconds. */
const LONGEST_WAIT_MS = 600_000;

const throughputSettings = z.object({
  properties: z.object({
    resource: z.object({
      throughput: z.number().optional(),
      autoscaleSettings: z.unknown().optional(),
      offerReplacePending: z.string().optional(),
    }),
  }),
});

/**
 * Throughput of containers through Azure Resource Manager, as the reference of the resource type
 * `databaseAccounts/sqlDatabases/containers/throughputSettings` describes it.
 */
export function resourceManagerThroughput(options: {
  /** `/subscriptions/…/databaseAccounts/NAME` */
  accountId: string;
  credential: TokenSource;
  endpoint?: string;
  pollEveryMs?: number;
}): ThroughputControl {
  const { accountId, credential, endpoint = RESOURCE_MANAGER, pollEveryMs = 3_000 } = options;

  async function call(container: string, change?: { throughput: number }) {
    const access = await credential.getToken(`${RESOURCE_MANAGER}/.default`);
    const path = `${accountId}/sqlDatabases/${DATABASE}/containers/${container}/throughputSettings/default`;
    const response = await fetch(`${endpoint}${path}?api-version=${API_VERSION}`, {
      method: change === undefined ? 'GET' : 'PUT',
      headers: { authorization: `Bearer ${access?.token ?? ''}`, 'content-type': 'application/json' },
      ...(change === undefined ? {} : { body: JSON.stringify({ properties: { resource: change } }) }),
    });
    const body = await response.text();
    if (response.ok) return body;
    const method = change === undefined ? 'reading' : 'setting';
    throw new StackError(
      'SEED_FAILED',
      `${method} the throughput of container ${container} failed with status ${response.status}: ${body.slice(0, 500)}`,
    );
  }

  async function current(container: string): Promise<{ ruPerSecond: number; pending: boolean }> {
    const { resource } = throughputSettings.parse(JSON.parse(await call(container))).properties;
    if (resource.throughput === undefined || resource.autoscaleSettings != null) {
      throw new StackError(
        'SEED_FAILED',
        `container ${container} has no manual throughput of its own; the lab needs it, as the scenarios fix it`,
      );
    }
    return { ruPerSecond: resource.throughput, pending: resource.offerReplacePending === 'true' };
  }

  return {
    read: async ({ id }) => (await current(id)).ruPerSecond,
    async set({ id }, ruPerSecond) {
      if ((await current(id)).ruPerSecond === ruPerSecond) return false;
      await call(id, { throughput: ruPerSecond });
      const giveUpAt = performance.now() + LONGEST_WAIT_MS;
      for (;;) {
        const now = await current(id);
        if (now.ruPerSecond === ruPerSecond && !now.pending) return true;
        if (performance.now() > giveUpAt) {
          throw new StackError(
            'SEED_FAILED',
            `container ${id} still has ${now.ruPerSecond} RU/s after ten minutes`,
          );
        }
        await delay(pollEveryMs);
      }
    },
  };
}
