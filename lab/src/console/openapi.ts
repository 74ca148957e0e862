import { z } from 'zod';
import { CONSOLE_ERRORS } from './errors.js';
import { ROUTES, type Route } from './routes.js';

/** The console's HTTP API as an OpenAPI document, made from its table of routes. */
export function openApiDocument(version: string): object {
  const paths: Record<string, Record<string, unknown>> = {
    '/api/events': {
      get: {
        summary: 'Server-sent events: state, run, points (seconds of the load), knobs, beat',
        responses: { 200: { description: 'A stream', content: { 'text/event-stream': {} } } },
      },
    },
  };
  for (const route of ROUTES) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lab console',
      version,
      description:
        'Runs, knobs, telemetry and comparisons of the lab. Errors are RFC 9457 problems with a stable code.',
    },
    paths,
    components: { schemas: { Problem: PROBLEM } },
  };
}

const PROBLEM = {
  type: 'object',
  required: ['title', 'status', 'code', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(CONSOLE_ERRORS) },
    detail: { type: 'string' },
  },
};

function operationOf({ path, summary, access, query, body, status = 200 }: Route): object {
  const parameters = [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    })),
    ...(query === undefined ? [] : queryParameters(query)),
  ];
  return {
    summary,
    ...(access === 'control' ? { description: 'Refused (403 READ_ONLY) in the view for the room.' } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body) } } } }),
    responses: {
      [status]: { description: 'Done', content: { 'application/json': {} } },
      default: {
        description: 'Refused',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function schemaOf(schema: z.ZodType): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  return rest;
}

function queryParameters(schema: z.ZodType) {
  const { properties = {}, required = [] } = schemaOf(schema) as {
    properties?: Record<string, object>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, property]) => ({
    ...{ name, in: 'query', required: required.includes(name), schema: property },
  }));
}
