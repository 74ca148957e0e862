import { z } from 'zod';

/** An error answer, RFC 9457, sent as `application/problem+json`. */
export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  /** Stable code from the sender's error table, for example `BACKEND_TIMEOUT`. */
  code: z.string(),
});
export type Problem = z.infer<typeof problem>;
export const PROBLEM_CONTENT_TYPE = 'application/problem+json';
