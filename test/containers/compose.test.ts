import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { findCompose } from '../../lab/src/targets/compose/compose-command.js';
import { composeProject } from '../../lab/src/targets/compose/compose-project.js';
import { lab } from '../integration/lab-stack/lab-process.js';
import { REPOSITORY } from './images.js';

const images = inject('images');
const command = images.available ? await findCompose().catch((error: Error) => error.message) : images.reason;
const title = 'lab up, run and down --target compose';

/** The command line on a real engine: what a user types, from nothing to nothing. */
describe(title, () => {
  if (typeof command === 'string' || !images.available) {
    it.skip(`skipped: ${command}`, () => {});
    return;
  }
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lab-compose-'));
  const name = `lab-test-${process.pid}`;
  const project = composeProject({ command, name });
  const env = {
    LAB_STATE_DIR: folder,
    COMPOSE_PROJECT_NAME: name,
    LAB_IMAGES: REPOSITORY,
    LAB_IMAGE_TAG: images.tag,
  };
  const delivery = async () => (await project.containers()).find((one) => one.service === 'delivery');

  afterAll(async () => {
    await project.down();
    rmSync(folder, { recursive: true, force: true });
  });

  let up: { gatewayUrl: string; calibration: { deliveryCpuLimitCores: number } };
  beforeAll(async () => {
    const { code, stdout, stderr } = await lab(['up', '--target', 'compose', '--json'], env);
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

  it('is not started twice, but for another seed', async () => {
    const { code, stderr } = await lab(['up', '--target', 'compose', '--seed', '2'], env);
    expect(stderr).toContain('seed 1 are running, not with 2');
    expect(code).toBe(3);
  });

  it('runs a scenario: turns its knobs, reads every row, and leaves the containers', async () => {
    const before = await delivery();
    const { code, stderr } = await lab(
      ['run', 'parallel', '--target', 'compose', '--duration', '10', '--runs-dir', path.join(folder, 'runs')],
      env,
    );
    // A busy machine makes a run invalid, and no other outcome will do.
    expect([0, 5], stderr).toContain(code);
    const [run = ''] = readdirSync(path.join(folder, 'runs'));
    const result = JSON.parse(readFileSync(path.join(folder, 'runs', run, 'result.json'), 'utf8'));
    expect(result).toMatchObject({ status: 'complete', target: { kind: 'compose', calibrated: true } });
    expect(result.measures['cosmos.queriesPerOperation']).toBeCloseTo(9, 0);
    expect(result.measures['client.errors']).toBe(0);
    const containers = await project.containers();
    expect(containers.find((one) => one.service === 'drone-utilization')?.env.QUERY_FANOUT).toBe('parallel');
    expect((await delivery())?.id).toBe(before?.id);
  });

  it('goes down to nothing', async () => {
    const { code, stdout } = await lab(['down', '--target', 'compose', '--json'], env);
    expect({ code, answer: JSON.parse(stdout) }).toEqual({
      code: 0,
      answer: { stopped: true, project: name },
    });
    expect(await project.containers()).toEqual([]);
  });
});
