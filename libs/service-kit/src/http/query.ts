import type { z } from 'zod';
import { ERRORS, ServiceError } from '../errors.js';

interface QueryIssue {
  parameter: string;
  message: string;
}

/**
 * Validates a URL's query against a strict object schema.
 * @throws {ServiceError} BAD_QUERY with every bad parameter, unknown and repeated ones included
 */
export function parseQuery<T>(url: string, schema: z.ZodObject & z.ZodType<T>): T {
  const start = url.indexOf('?');
  const values: Record<string, string> = Object.create(null);
  const repeated = new Map<string, number>();
  for (const [name, value] of new URLSearchParams(start < 0 ? '' : url.slice(start + 1))) {
    if (name in values) repeated.set(name, (repeated.get(name) ?? 1) + 1);
    else values[name] = value;
  }
  const issues: QueryIssue[] = [...repeated].map(([parameter, times]) => ({
    parameter,
    message: `${parameter} is given ${times} times, allowed: once`,
  }));
  const result = schema.safeParse({ ...values });
  if (result.success && issues.length === 0) return result.data;
  if (!result.success)
    issues.push(...result.error.issues.flatMap((issue) => describe(issue, Object.keys(schema.shape))));
  throw new ServiceError(ERRORS.BAD_QUERY, {
    detail: issues.map((issue) => issue.message).join('; '),
    extensions: { parameters: issues },
  });
}

function describe(issue: z.core.$ZodIssue, known: string[]): QueryIssue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((name) => ({
      parameter: name,
      message: `${JSON.stringify(name)} is not a parameter, allowed: ${known.join(', ')}`,
    }));
  }
  return [{ parameter: issue.path.join('.'), message: issue.message }];
}
