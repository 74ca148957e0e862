import { describe, expect, it } from 'vitest';
import { Health } from '../../../libs/service-kit/src/health.js';

describe('Health', () => {
  it('is ready when every condition holds, and tells why not', () => {
    const health = new Health();
    const database = health.check('database', 'connecting');
    const backend = health.check('backend');
    expect(health.report()).toEqual({
      status: 'not ready',
      checks: [
        { name: 'database', ready: false, reason: 'connecting' },
        { name: 'backend', ready: false, reason: 'starting' },
      ],
    });
    database.pass();
    expect(health.report().status).toBe('not ready');
    backend.pass();
    expect(health.report().status).toBe('ready');
    database.fail('ECONNREFUSED');
    expect(health.report().checks[0]).toEqual({ name: 'database', ready: false, reason: 'ECONNREFUSED' });
  });

  it('takes each name once', () => {
    const health = new Health();
    health.check('database');
    expect(() => health.check('database')).toThrow('database is registered twice');
  });
});
