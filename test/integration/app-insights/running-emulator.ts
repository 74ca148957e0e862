import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { type RunningEmulator, TABLES, type TableName } from '@bottleneck-lab/app-insights-emulator';

export const KEY = '6b1b7c1e-0000-4000-8000-00000000abcd';

export function event(name: string, properties: object = {}): object {
  return {
    ver: 1,
    time: new Date().toISOString(),
    iKey: KEY,
    tags: { 'ai.cloud.role': 'test' },
    data: { baseType: 'EventData', baseData: { name, properties } },
  };
}

export interface Reply<T> {
  status: number;
  headers: Headers;
  body: T;
}

export interface TrackReply {
  itemsReceived: number;
  itemsAccepted: number;
  errors: { index: number; statusCode: number; message: string }[];
}

export async function send<T = TrackReply>(url: string, init: RequestInit): Promise<Reply<T>> {
  const response = await fetch(url, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) as T };
}

export const track = (emulator: Pick<RunningEmulator, 'endpoint'>, items: unknown) =>
  send(`${emulator.endpoint}/v2.1/track`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(items),
  });

export interface QueryReply {
  tables: { name: string; columns: { name: string; type: string }[]; rows: unknown[][] }[];
}

/** Rows of a query, by column name. */
export async function query(
  emulator: Pick<RunningEmulator, 'endpoint'>,
  text: string,
  application = 'live',
): Promise<Record<string, unknown>[]> {
  const { status, body } = await send<QueryReply>(`${emulator.endpoint}/v1/apps/${application}/query`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: text }),
  });
  const [table] = body.tables ?? [];
  if (status !== 200 || table === undefined) throw new Error(`${status} ${JSON.stringify(body)}`);
  return table.rows.map((row) =>
    Object.fromEntries(table.columns.map(({ name }, index) => [name, row[index]])),
  );
}

export const columnNames = (table: TableName) => TABLES[table].map((column) => column.name);

export async function temporaryFolder(): Promise<{ path: string } & AsyncDisposable> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'app-insights-'));
  return { path: folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

const main = createRequire(import.meta.url).resolve('@bottleneck-lab/app-insights-emulator/main');

/** The command line program as a process, killed at the end if it still runs. */
export async function forkEmulator(
  ...args: string[]
): Promise<{ process: ChildProcess; endpoint: string; port: number } & AsyncDisposable> {
  const child = fork(main, ['--port', '0', ...args], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  const [message] = (await once(child, 'message')) as [{ type: string; port: number }];
  if (message.type !== 'listening') throw new Error(JSON.stringify(message));
  return {
    process: child,
    port: message.port,
    endpoint: `http://127.0.0.1:${message.port}`,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
