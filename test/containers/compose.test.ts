import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, it } from 'vitest';
import { describeComposeLab } from './compose-lab.js';
import { docker, mustDocker } from './docker.js';

/** The command line on a real engine: what a user types, from nothing to nothing. */
describeComposeLab('the lab --target compose', `lab-test-${process.pid}`, (compose) => {
  const { project, name } = compose;
  const containersOf = async (service: string) =>
    (await project.containers()).filter((one) => one.service === service && one.running);
  const delivery = async () => (await containersOf('delivery'))[0];

  let up: { gatewayUrl: string; calibration: { deliveryCpuLimitCores: number } };
  beforeAll(async () => {
    const { code, stdout, stderr } = await compose.lab('up', '--json');
    if (code !== 0) throw new Error(`${code}: ${stderr}`);
    up = JSON.parse(stdout);
  });

  it('comes up seeded, with the calibrated limit on the container, and ports on loopback only', async () => {
    const response = await fetch(`${up.gatewayUrl}/api/invoices?ownerId=o000042&year=2019&month=7`);
    expect(response.status).toBe(200);
    expect((await delivery())?.cpus).toBeCloseTo(up.calibration.deliveryCpuLimitCores, 4);
    const urls = (await project.containers()).flatMap((one) => Object.values(one.urls));
    expect(urls).toHaveLength(7);
    for (const url of urls) expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('says what runs, without a secret', async () => {
    const { code, stdout } = await compose.lab('status', '--json');
    expect(code).toBe(0);
    const status = JSON.parse(stdout);
    expect(status).toMatchObject({
      ...{ target: 'compose', project: name, state: 'running', gatewayUrl: up.gatewayUrl, seed: 1 },
      calibration: up.calibration,
    });
    expect(status.containers.map(({ service }: { service: string }) => service)).toEqual([
      ...['cosmos-emulator', 'delivery', 'drone-utilization', 'gateway', 'package', 'seed'],
    ]);
    for (const secret of Object.values((await containersOf('cosmos-emulator'))[0]?.env ?? {}).filter(
      (value) => value.length > 30 && !value.startsWith('/'),
    )) {
      expect(stdout).not.toContain(secret);
    }
  });

  it.each([
    [['--seed', '2'], 'seed 1 are running, not with 2'],
    [['--port', '1'], 'are running, not on port 1'],
  ])('is not started twice, but for other %j', async (args, words) => {
    const { code, stderr } = await compose.lab('up', ...args);
    expect(stderr).toContain(words);
    expect(code).toBe(3);
  });

  it('runs a scenario, follows the knobs that are turned meanwhile, and leaves the containers', async () => {
    const before = await delivery();
    const run = compose.start('run', 'serial', '--duration', '40');
    await run.says('s of 40');
    const turned: unknown[] = [];
    for (const [knob, value] of [
      ['queryFanout', 'parallel'],
      ['deliveryReplicas', '2'],
      ['deliveryRequestsPerSecond', '40'],
    ] as const) {
      const { code, stdout, stderr } = await compose.lab('knob', knob, value, '--json');
      expect(code, stderr).toBe(0);
      turned.push(JSON.parse(stdout));
    }
    expect(turned).toMatchObject([
      { sequence: 1, knob: 'queryFanout', from: 'serial', to: 'parallel' },
      { sequence: 2, knob: 'deliveryReplicas', from: 1, to: 2 },
      { sequence: 3, knob: 'deliveryRequestsPerSecond', from: 99, to: 40 },
    ]);
    const { code, stderr } = await run.exited;
    // A busy machine makes a run invalid, and no other outcome will do.
    expect([0, 5], stderr).toContain(code);
    const [result] = await compose.runsOf('serial');
    expect(result).toMatchObject({
      status: 'complete',
      target: { kind: 'compose', calibrated: true },
      turnedKnobs: [
        { knob: 'queryFanout' },
        { knob: 'deliveryReplicas' },
        { knob: 'deliveryRequestsPerSecond' },
      ],
    });
    // Containers were replaced under load.
    expect(result?.measures['client.errors']).toBe(0);
    expect(result?.measures['cosmos.queriesPerOperation']).toBeCloseTo(9, 0);
    const [drones] = await containersOf('drone-utilization');
    expect(drones?.env.QUERY_FANOUT).toBe('parallel');
    const replicas = await containersOf('delivery');
    expect(replicas).toHaveLength(2);
    expect(replicas.map(({ id }) => id)).not.toContain(before?.id);
    expect(new Set(replicas.map(({ cpus }) => cpus)).size).toBe(1);
    // Of the limit that the run began with; a slower core moves it by less than that.
    const began = result?.calibration?.deliveryCpuLimitCores ?? 0;
    expect(replicas[0]?.cpus).toBeLessThan(0.85 * began);
  });

  it('lists the knobs as they are, and says why one is not to be had', async () => {
    const { stdout } = await compose.lab('knob', '--json');
    const values = Object.fromEntries(
      JSON.parse(stdout).map((row: { knob: string; value: unknown }) => [row.knob, row.value]),
    );
    expect(values).toMatchObject({ queryFanout: 'parallel', deliveryReplicas: 2, ruPerSecond: 2_500 });
    const users = await compose.lab('knob', 'users', '10');
    expect(users.stderr).toContain('only --target local can');
    expect(users.code).toBe(2);
  });

  it('names a container that is killed while a load runs, and starts it again when it is reset', async () => {
    const run = compose.start('run', 'serial', '--duration', '60');
    await run.says('s of 60');
    const [victim] = await containersOf('package');
    await mustDocker('kill', victim?.id ?? '');
    const { code, stderr } = await run.exited;
    expect(stderr).toContain('package ended with exit code 137');
    expect(code).toBe(4);
    expect(JSON.parse((await compose.lab('status', '--json')).stdout).state).toBe('partly');
    const reset = await compose.lab('reset', '--json');
    expect(reset.code, reset.stderr).toBe(0);
    expect(JSON.parse(reset.stdout).changed).toContain('package started again');
    expect(await containersOf('delivery')).toHaveLength(1);
    expect((await fetch(`${up.gatewayUrl}/api/invoices?ownerId=o000042&year=2019&month=7`)).status).toBe(200);
  });

  it('ends a run on Ctrl-C and leaves containers that it did not start', async () => {
    const run = compose.start('run', 'serial', '--duration', '60');
    await run.says('s of 60');
    run.interrupt();
    const { code } = await run.exited;
    expect(code).toBe(130);
    expect((await compose.runsOf('serial')).at(-1)?.status).toBe('interrupted');
    expect(await containersOf('gateway')).toHaveLength(1);
  });

  it('goes down to nothing', async () => {
    const { code, stdout } = await compose.lab('down', '--json');
    expect({ code, answer: JSON.parse(stdout) }).toEqual({
      code: 0,
      answer: { stopped: true, project: name },
    });
    expect(await project.containers()).toEqual([]);
    const networks = await docker(['network', 'ls', '--quiet', '--filter', `name=${name}`]);
    expect(networks.stdout).toBe('');
    expect((await compose.lab('knob')).stderr).toContain('start them with "lab up --target compose"');
  });

  it('says that a port is taken, and leaves nothing behind', async () => {
    const holder = http.createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    const { code, stderr } = await compose.lab('up', '--port', String(port));
    holder.close();
    expect(stderr).toMatch(/port is already allocated|address already in use/);
    expect(code).toBe(3);
    expect(await project.containers()).toEqual([]);
  });
});
