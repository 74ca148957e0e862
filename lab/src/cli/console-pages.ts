import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ownerAccess, roomAccess } from '../console/access.js';
import { createConsole } from '../console/console.js';
import { type ConsoleServer, serveConsole } from '../console/server.js';
import { PROJECT_ROOT } from '../stack/state-dir.js';
import type { Terminal } from './terminal.js';

/** The console's listeners; loaded while the stack starts, as it brings analysis and load engine with it. */
export async function openPages(context: {
  options: { host?: string; port: number; roomPort: number; seed: number; cosmosEndpoint?: string };
  stateDir: string;
  runsDir: string;
  terminal: Terminal;
}): Promise<{
  owner: ConsoleServer;
  room: ConsoleServer | null;
  token: string;
  close(): Promise<void>;
}> {
  const { options, stateDir, runsDir, terminal } = context;
  const console = createConsole({
    ...{ stateDir, runsDir, terminal },
    seed: options.seed,
    port: 0,
    cosmosEndpoint: options.cosmosEndpoint ?? null,
    version: JSON.parse(readFileSync(path.join(PROJECT_ROOT, 'lab/package.json'), 'utf8')).version,
  });
  const token = randomBytes(18).toString('base64url');
  const servers: ConsoleServer[] = [];
  const close = async () => {
    await console.close();
    await Promise.all(servers.map((server) => server.close()));
  };
  try {
    const owner = await serveConsole({
      console,
      access: ownerAccess(),
      host: '127.0.0.1',
      port: options.port,
    });
    servers.push(owner);
    if (options.host === undefined) return { owner, room: null, token, close };
    const room = await serveConsole({
      ...{ console, access: roomAccess(token) },
      host: options.host,
      port: options.roomPort,
    });
    servers.push(room);
    return { owner, room, token, close };
  } catch (error) {
    await close();
    throw error;
  }
}
