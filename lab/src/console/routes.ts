import { z } from 'zod';
import { LONGEST_SECONDS, SHORTEST_SECONDS } from '../cli/shared-options.js';
import type { Console } from './console.js';
import { OPERATION_LISTS } from './operations.js';

/** What a route may need of a request, checked. */
interface Call {
  console: Console;
  readOnly: boolean;
  params: Record<string, string>;
  query: Record<string, string>;
  body: unknown;
}

export interface Route {
  method: 'GET' | 'POST';
  /** Names in braces are parameters. */
  path: string;
  /** `control` changes something, which the view for the room may not. */
  access: 'read' | 'control';
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  status?: number;
  handle(call: Call): unknown;
}

const run = z.string().min(1).describe('a run: its id, a unique beginning of it, or "latest"');
const seconds = z.coerce.number().int().min(0).max(1e6);

const startBody = z.strictObject({
  scenario: z.string().min(1).describe('a name, as GET /api/state lists them'),
  seconds: z.int().min(SHORTEST_SECONDS).max(LONGEST_SECONDS).default(60).describe('length of the load'),
  diagnosis: z
    .boolean()
    .default(true)
    .describe('false: what holds it back is left to be found; see /api/workshop/check'),
});
const turnBody = z.strictObject({ value: z.union([z.number(), z.string()]) });
const text = z.string().max(50_000).describe('a query in the Kusto query language');
const queryBody = z.strictObject({ run, text });
const checkBody = z.strictObject({ text });
const completeBody = z.strictObject({ text, position: z.int().min(0) });
const runQuery = z.strictObject({ run });
const compareQuery = z.strictObject({
  runs: z
    .string()
    .transform((list) => list.split(',').filter((id) => id !== ''))
    .pipe(z.array(z.string()).min(2).max(4))
    .describe('two to four runs, separated by commas; the others are judged against the first'),
});
const operationsQuery = z.strictObject({
  run,
  list: z.enum(OPERATION_LISTS).default('slowest'),
  from: seconds.default(0).describe('second of the load'),
  to: seconds.default(1e6).describe('second of the load, not included'),
});

const answerBody = z.strictObject({
  exercise: z.string().min(1).describe('number or scenario of an exercise, or "mystery"'),
  bottleneck: z.string(),
  evidence: z.array(z.string()).max(8).default([]),
  fix: z.string(),
});

const giveUpBody = z.strictObject({ exercise: answerBody.shape.exercise.default('mystery') });

/** Every route of the console's HTTP API; the OpenAPI document is made from this table. */
export const ROUTES: Route[] = [
  {
    method: 'GET',
    path: '/api/state',
    access: 'read',
    summary: 'Scenarios, knobs, and the run that goes on or was the last one',
    handle: ({ console, readOnly }) => console.state(readOnly),
  },
  {
    method: 'POST',
    path: '/api/run',
    access: 'control',
    summary: 'Start a run',
    body: startBody,
    status: 202,
    handle({ console, body }) {
      const { scenario, seconds: plannedSeconds, diagnosis } = body as z.output<typeof startBody>;
      return console.runs.start({ scenario, plannedSeconds, diagnosis });
    },
  },
  {
    method: 'POST',
    path: '/api/run/stop',
    access: 'control',
    summary: 'End the load early; what was measured is kept',
    body: z.strictObject({}),
    status: 202,
    handle({ console }) {
      console.runs.stop();
      return {};
    },
  },
  {
    method: 'GET',
    path: '/api/knobs',
    access: 'read',
    summary: 'Every knob with its value, and why it can not be turned where it can not',
    handle: ({ console }) => console.knobs(),
  },
  {
    method: 'POST',
    path: '/api/knobs/{name}',
    access: 'control',
    summary: 'Turn a knob, also while a load runs; answers when it has taken effect',
    body: turnBody,
    handle: ({ console, params, body }) =>
      console.turn(params.name ?? '', (body as z.output<typeof turnBody>).value),
  },
  {
    method: 'GET',
    path: '/api/runs',
    access: 'read',
    summary: 'Runs on disk, newest first',
    handle: ({ console }) => console.library.list(),
  },
  {
    method: 'GET',
    path: '/api/runs/{id}',
    access: 'read',
    summary: 'A recorded run, second by second',
    handle: ({ console, params }) => console.library.view(params.id ?? ''),
  },
  {
    method: 'GET',
    path: '/api/compare',
    access: 'read',
    summary: 'Runs side by side, and each measure of the others judged against the first run',
    query: compareQuery,
    handle: ({ console, query }) =>
      console.library.compare((query as unknown as z.output<typeof compareQuery>).runs),
  },
  {
    method: 'GET',
    path: '/api/queries',
    access: 'read',
    summary: 'The library of queries',
    handle: ({ console }) => console.telemetry.library(),
  },
  {
    method: 'POST',
    path: '/api/query',
    access: 'read',
    summary: "Ask a run's telemetry",
    body: queryBody,
    handle({ console, body }) {
      const asked = body as z.output<typeof queryBody>;
      return console.telemetry.query(asked.run, asked.text);
    },
  },
  {
    method: 'POST',
    path: '/api/query/check',
    access: 'read',
    summary: 'What the language service says about a query, without running it',
    body: checkBody,
    handle: ({ console, body }) => console.telemetry.check((body as z.output<typeof checkBody>).text),
  },
  {
    method: 'POST',
    path: '/api/query/complete',
    access: 'read',
    summary: 'What may stand at a position of a query',
    body: completeBody,
    handle({ console, body }) {
      const at = body as z.output<typeof completeBody>;
      return console.telemetry.complete(at.text, at.position);
    },
  },
  {
    method: 'GET',
    path: '/api/operations',
    access: 'read',
    summary: 'Slowest, failed, throttled or random operations of a range of the load',
    query: operationsQuery,
    handle({ console, query }) {
      const { run: id, list, from, to } = query as unknown as z.output<typeof operationsQuery>;
      return console.telemetry.operations({ run: id, list, fromSecond: from, toSecond: to });
    },
  },
  {
    method: 'GET',
    path: '/api/operations/{id}',
    access: 'read',
    summary: 'One operation with everything that it caused',
    query: runQuery,
    handle: ({ console, params, query }) => console.telemetry.operation(query.run ?? '', params.id ?? ''),
  },
  {
    method: 'GET',
    path: '/api/workshop',
    access: 'read',
    summary: 'Exercises, and the words that an answer may use',
    handle: ({ console }) => console.workshop.view(),
  },
  {
    method: 'POST',
    path: '/api/workshop/check',
    access: 'control',
    summary:
      'Judge an answer by what a run has measured; a right one reveals a mystery or the diagnosis of a sealed run',
    body: answerBody,
    handle: ({ console, body }) => console.workshop.check(body as z.output<typeof answerBody>),
  },
  {
    method: 'POST',
    path: '/api/workshop/give-up',
    access: 'control',
    summary: 'Reveal the newest mystery, or the newest run of an exercise, without an answer',
    body: giveUpBody,
    handle: ({ console, body }) => console.workshop.giveUp((body as z.output<typeof giveUpBody>).exercise),
  },
  {
    method: 'GET',
    path: '/api/map',
    access: 'read',
    summary: 'Who calls whom in a run: calls, mean duration, failures',
    query: runQuery,
    handle: ({ console, query }) => console.telemetry.map(query.run ?? ''),
  },
];

/** The route of a path with its parameters; null without one. `methods`: what the path knows. */
export function findRoute(method: string, pathname: string) {
  const methods: string[] = [];
  for (const route of ROUTES) {
    const params = match(route.path, pathname);
    if (params === null) continue;
    if (route.method === method) return { route, params, methods };
    methods.push(route.method);
  }
  return { route: null, params: {}, methods };
}

function match(pattern: string, pathname: string): Record<string, string> | null {
  const [wanted, given] = [pattern.split('/'), pathname.split('/')];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const name = /^\{(\w+)\}$/.exec(part)?.[1];
    const value = given[at] ?? '';
    if (name !== undefined) params[name] = decodeURIComponent(value);
    else if (part !== value) return null;
  }
  return params;
}
