import { once } from 'node:events';
import { measurementRow } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { eventually } from './eventually.js';
import { startServer } from './http-server.js';
import { mainOf, startProcess } from './service-process.js';

const DELIVERY = '/api/deliveries/summary?ownerId=o000042&year=2019&month=7';

describe('the command line', () => {
  it.each(['delivery', 'gateway', 'package', 'drone-utilization'] as const)(
    '%s refuses an unknown flag by name',
    async (name) => {
      await using service = startProcess(mainOf(name), { args: ['--prot=80'] });
      expect(await service.exited).toEqual({ code: 64, signal: null });
      expect(service.output()).toContain(`${name}: --prot=80 is not allowed on the command line`);
    },
  );

  it('prints the configuration without secrets and without starting', async () => {
    const env = { COSMOS_ENDPOINT: 'http://127.0.0.1:1', COSMOS_KEY: 'c2VjcmV0', QUERY_FANOUT: 'parallel' };
    await using service = startProcess(mainOf('drone-utilization'), { env, args: ['--print-config'] });
    expect(await service.exited).toEqual({ code: 0, signal: null });
    const printed = JSON.parse(service.output());
    expect(printed).toMatchObject({ COSMOS_KEY: '***', QUERY_FANOUT: 'parallel', PORT: 0, CPU_LIMIT: null });
    expect(service.output()).not.toContain('c2VjcmV0');
  });

  it('lists variables and exit codes', async () => {
    await using service = startProcess(mainOf('gateway'), { args: ['--help'] });
    expect((await service.exited).code).toBe(0);
    for (const word of ['BACKEND_DEADLINE_MS', 'DELIVERY_URL', '78'])
      expect(service.output()).toContain(word);
  });
});

describe('a bad configuration', () => {
  it('ends the process with every error named, before anything is opened', async () => {
    const env = { PORT: '70000', CPU_LIMIT: 'lots', BACKEND_RETRIES: '-1', DELIVERY_URL: 'delivery:80' };
    await using service = startProcess(mainOf('gateway'), { env });
    expect(await service.exited).toEqual({ code: 78, signal: null });
    const lines = service.output().trim().split('\n');
    expect(lines).toHaveLength(7);
    for (const part of [
      'PORT: "70000" is not allowed; allowed: a whole number from 0 to 65535',
      'CPU_LIMIT: "lots" is not allowed; allowed: cores as a decimal from 0.01 to 256, or none',
      'BACKEND_RETRIES: "-1" is not allowed',
      'DELIVERY_URL: "delivery:80" is not allowed; allowed: an http or https address',
      'PACKAGE_URL: is missing',
      'DRONE_UTILIZATION_URL: is missing',
    ]) {
      expect(service.output()).toContain(part);
    }
  });

  it.each(['QUERY_FANOUT', 'PARTITION_KEY'])('names a bad %s and what is allowed', async (variable) => {
    const env = { COSMOS_ENDPOINT: 'http://127.0.0.1:1', COSMOS_KEY: 'YWJj', [variable]: 'both' };
    await using service = startProcess(mainOf('drone-utilization'), { env });
    expect((await service.exited).code).toBe(78);
    expect(service.output()).toMatch(new RegExp(`${variable}: "both" is not allowed; allowed: \\w+ or \\w+`));
  });
});

describe('a busy port', () => {
  it.each(['PORT', 'INTERNAL_PORT'])('%s ends the process with one line that names it', async (variable) => {
    await using taken = await startServer(() => {});
    await using service = startProcess(mainOf('delivery'), { env: { [variable]: String(taken.port) } });
    expect(await service.exited).toEqual({ code: 69, signal: null });
    expect(service.output()).toBe(
      `delivery: Cannot listen on 127.0.0.1:${taken.port} (${variable}): it is already in use (EADDRINUSE)\n`,
    );
  });
});

describe('stopping', () => {
  it.each([
    ['a message', (service: ReturnType<typeof startProcess>) => service.child.send({ type: 'shutdown' })],
    ['SIGTERM', (service: ReturnType<typeof startProcess>) => service.child.kill('SIGTERM')],
    ['SIGINT', (service: ReturnType<typeof startProcess>) => service.child.kill('SIGINT')],
  ])('by %s hands over the last rows and exits with 0', async (_what, stop) => {
    await using service = startProcess(mainOf('delivery'));
    const { url } = await service.listening;
    expect((await fetch(url + DELIVERY)).status).toBe(200);
    stop(service);
    const { rows } = await service.finalRows;
    for (const row of rows) measurementRow.parse(row);
    expect(rows.filter((row) => row.kind === 'operation')).toMatchObject([
      { operation: 'GET Deliveries/GetSummary' },
    ]);
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });

  it('happens by itself when the supervisor is gone', async () => {
    await using service = startProcess(mainOf('delivery'));
    await service.listening;
    service.child.disconnect();
    expect(await service.exited).toEqual({ code: 0, signal: null });
  });
});

describe('a service without its backends', () => {
  it('starts, says why it is not ready, and stays alive', async () => {
    const nobody = 'http://127.0.0.1:1';
    const env = { DELIVERY_URL: nobody, PACKAGE_URL: nobody, DRONE_UTILIZATION_URL: nobody };
    await using service = startProcess(mainOf('gateway'), { env });
    const { url } = await service.listening;
    expect((await fetch(`${url}/-/live`)).status).toBe(200);
    const ready = await eventually(async () => {
      const response = await fetch(`${url}/-/ready`);
      const text = await response.text();
      return text.includes('ECONNREFUSED') && { status: response.status, text };
    });
    expect(ready.status).toBe(503);
    expect(ready.text).toContain('delivery at http://127.0.0.1:1: ECONNREFUSED');
    service.child.send({ type: 'shutdown' });
    const [code] = await once(service.child, 'exit');
    expect(code).toBe(0);
  });
});
