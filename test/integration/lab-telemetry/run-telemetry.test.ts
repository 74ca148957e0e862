import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { CONTAINERS, DEPENDENCY_TYPES, OPERATIONS, ROLES } from '@bottleneck-lab/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadQueries } from '../../../lab/src/telemetry/query-library.js';
import { TELEMETRY_SDKS } from '../../../lab/src/telemetry/settings.js';
import { lab } from '../lab-stack/lab-process.js';
import { type RecordedRun, recordRun } from './recorded-run.js';

const PATIENCE_MS = 240_000;
const OF_RUN = `where tostring(customDimensions['lab.run']) != ''`;
/** The load script asks once before the load, to see that the system answers. */
const SETUP = `tostring(customDimensions['lab.step']) == 'setup'`;

let home: string;
beforeAll(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'lab-telemetry-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** The whole lab as processes, its services sending by either SDK. */
describe.each(TELEMETRY_SDKS)('a run with telemetry by %s', (sdk) => {
  let run: RecordedRun;
  let env: Record<string, string>;
  let runsDir: string;

  beforeAll(async () => {
    // One state directory for both, so that the second finds the first's calibration.
    env = { LAB_STATE_DIR: path.join(home, 'state') };
    runsDir = path.join(home, sdk);
    run = await recordRun({ sdk, env, runsDir });
  }, PATIENCE_MS);
  afterAll(async () => void (await lab(['down'], env)), PATIENCE_MS);

  const count = async (text: string) =>
    (await run.ask(`${text} | summarize n = sum(itemCount)`))[0]?.n as number;

  it('leaves its telemetry in its folder, and nothing beside it', () => {
    expect(readdirSync(runsDir)).toEqual([run.id]);
    expect(readdirSync(path.join(run.folder, 'telemetry'))).toEqual(['000001.ndjson.gz']);
    expect(run.result).toMatchObject({
      telemetry: true,
      telemetryUse: { receiver: 'stand-in', sdk, samplingRatio: 1 },
    });
  });

  it('has every signal of every service', async () => {
    const present = await run.ask(`union withsource = table requests, dependencies, traces, customMetrics
      | summarize by key = strcat(table, ' ', cloud_RoleName)`);
    const keys = present.map((row) => row.key);
    for (const role of Object.values(ROLES)) {
      for (const table of ['requests', 'customMetrics']) expect(keys).toContain(`${table} ${role}`);
    }
    // delivery calls nobody.
    for (const role of [ROLES.gateway, ROLES.package, ROLES['drone-utilization']]) {
      expect(keys).toContain(`dependencies ${role}`);
    }
  });

  it('has one root per invoice, three calls below it, each answered by its service, and the attempts below that', async () => {
    const [roots] = await run.ask(`requests | ${OF_RUN}
      | summarize roots = countif(operation_ParentId == ''), operations = dcount(operation_Id), requests = count()`);
    const invoices = roots?.operations as number;
    expect(roots).toEqual({ roots: invoices, operations: invoices, requests: 4 * invoices });
    const edges = await run.ask(`requests | ${OF_RUN} | where operation_ParentId == ''
      | join kind=inner (dependencies | project operation_ParentId, call = id, target) on $left.id == $right.operation_ParentId
      | join kind=inner (requests | project operation_ParentId, answered = name) on $left.call == $right.operation_ParentId
      | summarize n = count() by target, answered | order by target asc`);
    expect(edges).toEqual([
      { target: ROLES.delivery, answered: OPERATIONS.getDeliveriesSummary, n: invoices },
      { target: ROLES['drone-utilization'], answered: OPERATIONS.getDroneUtilization, n: invoices },
      { target: ROLES.package, answered: OPERATIONS.getPackagesSummary, n: invoices },
    ]);
    const partitions = await run.ask(`dependencies | ${OF_RUN}
      | where type == '${DEPENDENCY_TYPES.documentQuery}' and resultCode == '200'
      | join kind=inner (requests | project id, parent = name) on $left.operation_ParentId == $right.id
      | summarize answered = count(), partitions = dcount(tostring(customDimensions['CosmosDb.PartitionKeyRangeId'])) by operation_ParentId, parent
      | summarize operations = count() by parent, answered, partitions`);
    expect(partitions).toEqual([
      { parent: OPERATIONS.getDroneUtilization, answered: 9, partitions: 9, operations: invoices },
    ]);
  });

  it('counts the same requests as the load engine and as the gateway, every difference by its cause', async () => {
    const engine = run.rows.reduce((sum, row) => (row.kind === 'load' ? sum + row.requests : sum), 0);
    const gateway = run.rows.reduce(
      (sum, row) =>
        row.kind === 'operation' && row.operation === OPERATIONS.getInvoice ? sum + row.count : sum,
      0,
    );
    const requests = `requests | where name == '${OPERATIONS.getInvoice}'`;
    const setup = await count(`${requests} | ${OF_RUN} | where ${SETUP}`);
    expect(engine).toBeGreaterThan(50);
    expect(setup).toBe(1);
    expect({ gateway, telemetry: (await count(requests)) - setup }).toEqual({
      gateway: engine,
      telemetry: engine,
    });
  });

  it('counts the same Cosmos DB attempts as the account, every difference by its cause', async () => {
    const queried = CONTAINERS.utilizationByDelivery.id;
    const account = { answered: 0, throttled: 0 };
    for (const row of run.rows) {
      if (row.kind !== 'partition' || row.container !== queried) continue;
      account.answered += row.requests;
      account.throttled += row.throttled;
    }
    const attempts = `dependencies | where type == '${DEPENDENCY_TYPES.documentQuery}'`;
    const load = `${attempts} | ${OF_RUN} | where not(${SETUP})`;
    const throttled = await count(`${load} | where resultCode == '429'`);
    expect({
      answered: await count(`${load} | where resultCode == '200'`),
      // An account that refused nothing has no row to add up.
      throttled: throttled ?? 0,
    }).toEqual(account);
    const setup = await count(`${attempts} | ${OF_RUN} | where ${SETUP}`);
    expect(setup).toBe(9);
    expect((await count(attempts)) - setup).toBe(account.answered + account.throttled);
  });

  // What a process shares with others counts by its part, which only Linux tells.
  it.runIf(process.platform === 'linux')('takes less than 1.4 GB in all its processes', async () => {
    const { stdout } = await lab(['status', '--json'], env);
    const { pid, processes } = JSON.parse(stdout) as { pid: number; processes: { pid: number }[] };
    // Four services, two stand-ins, and the process that started them.
    expect(processes).toHaveLength(6);
    const kilobytes = [pid, ...processes.map((one) => one.pid)].map((id) =>
      Number(/^Pss: +(\d+) kB$/m.exec(readFileSync(`/proc/${id}/smaps_rollup`, 'utf8'))?.[1]),
    );
    const total = kilobytes.reduce((sum, value) => sum + value, 0);
    expect(total).toBeGreaterThan(100_000);
    expect(total).toBeLessThan(1.4 * 1024 ** 2);
  });

  it.each(loadQueries())('answers $name', async ({ text }) => {
    const { rows } = await run.source.query(text);
    expect(rows.length).toBeGreaterThan(0);
  });

  it('answers on the command line, from the folder and from the running stack alike', async () => {
    const ask = async (...args: string[]) => {
      const { code, stdout, stderr } = await lab(
        ['query', 'cosmos-calls-per-operation', '--json', ...args],
        env,
      );
      expect(code, stderr).toBe(0);
      return { answer: JSON.parse(stdout), stderr };
    };
    const folder = await ask('--runs-dir', runsDir, '--run', 'latest');
    const live = await ask('--runs-dir', runsDir);
    expect(folder.answer.rows[0]).toContain(9);
    expect(live.answer).toEqual(folder.answer);
    expect(folder.stderr).toContain(run.id);
    expect(live.stderr).toContain('the running stack');
  });

  it('is refused with the diagnostics of the language, from the folder and from the running stack alike', async () => {
    for (const args of [['--run', 'latest'], []]) {
      const { code, stderr } = await lab(
        ['query', 'requests | where nme == 1', '--runs-dir', runsDir, ...args],
        env,
      );
      expect(code).toBe(2);
      expect(stderr).toContain("1:18 KS142: The name 'nme' does not refer to any known column");
    }
  });

  it('shows the slowest transaction from the gateway to the partitions', async () => {
    const shown = await lab(['trace', 'slowest', '--runs-dir', runsDir, '--run', 'latest'], env);
    expect(shown.code, shown.stderr).toBe(0);
    for (const text of [...Object.values(OPERATIONS), 'partition 8', 'RU', '█'])
      expect(shown.stdout).toContain(text);
    expect(shown.stdout).not.toContain('\u001b');
    const { stdout } = await lab(
      ['trace', 'slowest', '--json', '--runs-dir', runsDir, '--run', 'latest'],
      env,
    );
    const { roots, operationId } = JSON.parse(stdout);
    expect(roots).toHaveLength(1);
    expect(roots[0].children).toHaveLength(3);
    const again = await lab(['trace', operationId.slice(0, 12), '--json', '--runs-dir', runsDir], env);
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(stdout));
  });
});
