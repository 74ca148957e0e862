import {
  type Container,
  type ContainerRequest,
  CosmosClient,
  type CosmosClientOptions,
  type Database,
  type JSONObject,
} from '@azure/cosmos';
import {
  type CosmosEmulator,
  type EmulatorOptions,
  startCosmosEmulator,
} from '@bottleneck-lab/cosmos-emulator';

/** One HTTP request as the client sent it. */
export interface SentRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  rangeId: string | undefined;
  body: string | undefined;
  status: number;
}

export interface Fixture {
  emulator: CosmosEmulator;
  client: CosmosClient;
  database: Database;
  /** Everything that was sent since the start or the last `sent.length = 0`, 429s and retries included. */
  sent: SentRequest[];
  /** Highest number of document queries in flight since `resetInFlight`. */
  maxInFlight(): number;
  resetInFlight(): void;
  control(path: string, init?: { method?: string; body?: unknown }): Promise<ControlAnswer>;
  container(request: ContainerRequest, physicalPartitions?: number): Promise<Container>;
  [Symbol.asyncDispose](): Promise<void>;
}

interface ControlAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes
  body: any;
}

export interface FixtureOptions {
  emulator?: EmulatorOptions;
  client?: Partial<CosmosClientOptions>;
}

/** An emulator with a database and a client whose requests are recorded. */
export async function startFixture({
  emulator: options,
  client: clientOptions,
}: FixtureOptions = {}): Promise<Fixture> {
  const failures: unknown[] = [];
  const emulator = await startCosmosEmulator({ onError: (error) => failures.push(error), ...options });
  const sent: SentRequest[] = [];
  const inFlight = { now: 0, max: 0 };
  const client = new CosmosClient({
    endpoint: emulator.endpoint,
    key: emulator.key,
    plugins: [{ on: 'request', plugin: recorder(sent, inFlight) }],
    ...clientOptions,
  } as CosmosClientOptions);
  const { database } = await client.databases.create({ id: 'db' });
  return {
    emulator,
    client,
    database,
    sent,
    maxInFlight: () => inFlight.max,
    resetInFlight: () => {
      inFlight.max = 0;
    },
    control: (path, init = {}) => control(emulator, path, init),
    container: async (request, physicalPartitions) => {
      const initialHeaders =
        physicalPartitions === undefined
          ? {}
          : { 'x-emulator-physical-partitions': String(physicalPartitions) };
      const { container } = await database.containers.create(request, { initialHeaders });
      return container;
    },
    [Symbol.asyncDispose]: async () => {
      client.dispose();
      await emulator.stop();
      if (failures.length > 0) throw new AggregateError(failures, 'The emulator reported errors of its own.');
    },
  };
}

interface RequestContext {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  partitionKeyRangeId?: string;
  body?: unknown;
}

function recorder(sent: SentRequest[], inFlight: { now: number; max: number }) {
  return async (
    context: RequestContext,
    _diagnostics: unknown,
    next: (context: RequestContext) => Promise<{ code: number }>,
  ) => {
    const headers = Object.fromEntries(
      Object.entries(context.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
    );
    const request: SentRequest = {
      method: context.method,
      path: context.path === '' ? '/' : context.path,
      headers,
      rangeId: headers['x-ms-documentdb-partitionkeyrangeid'],
      body: context.body as string | undefined,
      status: 0,
    };
    sent.push(request);
    const isQuery = kindOf(request) === 'query';
    if (isQuery) inFlight.max = Math.max(inFlight.max, ++inFlight.now);
    try {
      const response = await next(context);
      request.status = response.code;
      return response;
    } catch (error) {
      request.status = Number((error as { code?: unknown }).code);
      throw error;
    } finally {
      if (isQuery) inFlight.now -= 1;
    }
  };
}

/** What a recorded request is for. */
export function kindOf({ method, path, headers }: SentRequest): string {
  if (path === '/') return 'account';
  if (path.endsWith('/pkranges')) return 'pkranges';
  if (headers['x-ms-cosmos-is-query-plan-request'] !== undefined) return 'plan';
  if (path.endsWith('/docs') && headers['x-ms-documentdb-isquery'] !== undefined) return 'query';
  return `${method} ${path}`;
}

export async function control(
  { endpoint, controlToken }: CosmosEmulator,
  path: string,
  { method = 'GET', body }: { method?: string; body?: unknown } = {},
): Promise<ControlAnswer> {
  const response = await fetch(new URL(`_emulator/${path}`, endpoint), {
    method,
    headers: { 'x-emulator-token': controlToken },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Items over many partition keys, written in bulk. */
export function upserts(count: number, item: (index: number) => JSONObject & { id: string }, key: string) {
  return Array.from({ length: count }, (_, index) => {
    const resourceBody = item(index);
    return { operationType: 'Upsert' as const, partitionKey: resourceBody[key] as string, resourceBody };
  });
}
