import { problem } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { ERRORS as GATEWAY } from '../../../gateway/src/errors.js';
import { ERRORS, ServiceError } from '../../../libs/service-kit/src/errors.js';
import { EXIT_CODES } from '../../../libs/service-kit/src/exit-codes.js';
import { problemOf, toServiceError } from '../../../libs/service-kit/src/problem.js';
import { ERRORS as DELIVERY } from '../../../services/delivery/src/errors.js';
import { ERRORS as DRONES } from '../../../services/drone-utilization/src/errors.js';
import { ERRORS as PACKAGES } from '../../../services/package/src/errors.js';

describe('error tables', () => {
  const rows = [ERRORS, GATEWAY, DELIVERY, PACKAGES, DRONES].flatMap((table) => Object.entries(table));

  it('use each code once, under its own name', () => {
    expect(new Set(rows.map(([, row]) => row.code)).size).toBe(rows.length);
    for (const [name, row] of rows) expect(row.code).toBe(name);
  });

  it('map to error statuses only', () => {
    for (const [, row] of rows) expect(row.status).toBeGreaterThanOrEqual(400);
  });

  it('have exit codes that differ', () => {
    const codes = Object.values(EXIT_CODES).map((row) => row.code);
    expect(new Set(codes).size).toBe(codes.length);
  });
});

describe('problemOf', () => {
  const instance = { path: '/api/x', requestId: 'r1' };

  it('is a problem document with the row, the detail and the extensions', () => {
    const error = new ServiceError(ERRORS.BACKEND_TIMEOUT, {
      detail: 'delivery did not answer within 10 ms',
      extensions: { backend: 'delivery' },
    });
    const document = problemOf(error, instance);
    expect(problem.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      status: 504,
      code: 'BACKEND_TIMEOUT',
      detail: 'delivery did not answer within 10 ms',
      instance: '/api/x',
      requestId: 'r1',
      backend: 'delivery',
    });
  });

  it('keeps the inside of an unexpected error inside', () => {
    const cause = new TypeError('password is hunter2');
    const wrapped = toServiceError(cause);
    expect(wrapped.cause).toBe(cause);
    expect(JSON.stringify(problemOf(wrapped, instance))).not.toContain('hunter2');
    expect(problemOf(wrapped, instance)).toMatchObject({ status: 500, code: 'INTERNAL' });
  });
});
