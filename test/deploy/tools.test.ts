import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { findTool, findToolFile } from '../../k8s/tools.js';
import { CHART, type Manifest, parseManifests, ROOT } from './manifests.js';

const { renderChart, renderManifests, withoutHelm } = (await import(
  new URL('../../k8s/render.js', import.meta.url).href
)) as {
  renderChart(helm: string, values?: (string | object)[]): Map<string, Manifest[]>;
  renderManifests(helm: string): Map<string, string>;
  withoutHelm(object: Manifest): Manifest;
};

const SCHEMA = fileURLToPath(new URL('schemas/kubernetes.json', import.meta.url));
const VALUES_FILES = readdirSync(path.join(CHART, 'values'));
const OVERLAYS = ['local', 'aks'];

const helm = findTool('helm') ?? '';
const kubeconform = findTool('kubeconform') ?? '';
const kustomize = findTool('kustomize') ?? '';
const kubectl = findTool('kubectl') ?? '';
const testRunSchema = findToolFile('k6.io_testruns.yaml');
/** Why a group is skipped; part of its name, so that a report says it. */
const missing = (...tools: [string, string][]) => {
  const names = tools.filter(([, found]) => found === '').map(([name]) => name);
  return names.length === 0 ? '' : ` (skipped: no ${names.join(', ')}; .ci/deploy-tools.sh installs them)`;
};
const HELM: [string, string] = ['helm', helm];
const KUBECONFORM: [string, string] = ['kubeconform', kubeconform];
const BUILDER: [string, string] = ['kustomize or kubectl', kustomize || kubectl];

function build(folder: string): string {
  const [command, args] =
    kustomize === '' ? [kubectl, ['kustomize', folder]] : [kustomize, ['build', folder]];
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
}

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'bottleneck-lab-deploy-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Empty when all are valid; kinds of the k6 operator only where its own description is at hand. */
function problemsOf(text: string): string {
  const schemas = ['-schema-location', SCHEMA];
  if (testRunSchema === null) schemas.push('-skip', 'TestRun');
  else {
    const file = path.join(folder, 'testrun.json');
    const [{ schema }] = parse(readFileSync(testRunSchema, 'utf8')).spec.versions;
    writeFileSync(file, JSON.stringify(strict(schema.openAPIV3Schema)));
    schemas.unshift('-schema-location', path.join(folder, '{{ .ResourceKind }}.json'));
  }
  const { stdout, stderr } = spawnSync(kubeconform, ['-strict', ...schemas, '-'], {
    input: text,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

/** No properties but those described, as the API server's strict validation has it. */
function strict(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(strict);
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  const open = copy.additionalProperties !== undefined || copy['x-kubernetes-preserve-unknown-fields'];
  if (copy.type !== 'object' || copy.properties === undefined || open) return copy;
  return { ...copy, additionalProperties: false };
}

describe.skipIf(helm === '')(`the chart, by helm${missing(HELM)}`, () => {
  it.each(['values.yaml', ...VALUES_FILES])('passes helm lint with %s', (file) => {
    const values = file === 'values.yaml' ? [] : ['-f', path.join(CHART, 'values', file)];
    const { status, stdout } = spawnSync(helm, ['lint', '--strict', CHART, ...values], { encoding: 'utf8' });
    expect([status, stdout]).toEqual([0, expect.stringContaining('0 chart(s) failed')]);
  });

  it.each([
    ['cosmos.auth=managed-identity', /workloadIdentity/],
    ['gateway.replicas=0', /\/gateway\/replicas.*minimum/],
    ['droneUtilization.queryFanout=fast', /\/droneUtilization\/queryFanout/],
    ['cosmos.key=c2VjcmV0', /additional properties 'key' not allowed/],
    ['cosmosEmulator.enabled=false', /\/cosmos\/endpoint/],
  ])('refuses %s and names the value', (setting, message) => {
    const args = ['template', CHART, '--kube-version', '1.32.0', '--set', setting];
    const { status, stderr } = spawnSync(helm, args, { encoding: 'utf8' });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(message);
  });

  it('sets the throughput in a hook Job: of the stand-in afterwards, of an account before', () => {
    const jobOf = (values: string) =>
      renderChart(helm, [values])
        .get('seed.yaml')
        ?.find(({ kind }) => kind === 'Job');
    const hook = 'helm.sh/hook';
    expect(jobOf('serial.yaml')?.metadata.annotations?.[hook]).toBe('post-install,post-upgrade');
    expect(jobOf('aks.yaml')?.metadata.annotations?.[hook]).toBe('pre-install,pre-upgrade');
    const env = jobOf('serial.yaml')?.spec.template.spec.containers[0].env;
    expect(env).toContainEqual({ name: 'RU_PER_SECOND', value: '2500' });
  });

  it('turns what runs without a new pod of the stand-in, and partitions with one', () => {
    const podOf = (settings: object) =>
      renderChart(helm, [settings])
        .get('cosmos-emulator.yaml')
        ?.find(({ kind }) => kind === 'Deployment')?.spec;
    const before = podOf({});
    expect(podOf({ cosmos: { ruPerSecond: 5000 }, cosmosEmulator: { queryBaseRu: 4 } })).toEqual(before);
    expect(podOf({ cosmos: { physicalPartitions: 10 } })).not.toEqual(before);
  });

  it('scales delivery by its CPU, and spreads and protects what has several replicas', () => {
    const objects = [...renderChart(helm, ['autoscaling.yaml']).values()].flat();
    const one = (kind: string, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === `bottleneck-lab-${name}`);
    expect(one('HorizontalPodAutoscaler', 'delivery')?.spec).toMatchObject({
      minReplicas: 2,
      maxReplicas: 6,
    });
    expect(one('Deployment', 'delivery')?.spec.replicas).toBeUndefined();
    for (const name of ['gateway', 'delivery', 'package', 'drone-utilization']) {
      expect(one('PodDisruptionBudget', name)?.spec.maxUnavailable).toBe(1);
      expect(one('Deployment', name)?.spec.template.spec.topologySpreadConstraints).toHaveLength(2);
    }
    const single = [...renderChart(helm).values()].flat();
    expect(single.filter(({ kind }) => /Budget|Autoscaler/.test(kind))).toEqual([]);
  });

  it('tests itself with a load that fails when answers are wrong', () => {
    const objects = renderChart(helm).get('tests/load.yaml') ?? [];
    expect(objects.map(({ metadata }) => metadata.annotations?.['helm.sh/hook'])).toEqual(
      objects.map(() => 'test'),
    );
    const script = objects.find(({ kind }) => kind === 'ConfigMap')?.data;
    expect(script?.['step-load.js']).toContain('rate>0.99');
    expect(JSON.parse(script?.['article.json'] ?? '')).toMatchObject({ name: 'article' });
  });

  it('is what the manifests of k8s/ are rendered from (node k8s/render.js)', () => {
    for (const [file, text] of renderManifests(helm)) {
      expect([file, readFileSync(path.join(ROOT, file), 'utf8').replaceAll('\r\n', '\n')]).toEqual([
        file,
        text,
      ]);
    }
  });
});

describe.skipIf(helm === '' || kubeconform === '')(
  `the chart, by kubeconform${missing(HELM, KUBECONFORM)}`,
  () => {
    it.each(['values.yaml', ...VALUES_FILES])('is valid with %s', (file) => {
      const values = file === 'values.yaml' ? [] : ['-f', path.join(CHART, 'values', file)];
      const args = ['template', 'bottleneck-lab', CHART, '--kube-version', '1.32.0', ...values];
      expect(problemsOf(execFileSync(helm, args, { encoding: 'utf8' }))).toBe('');
    });

    it('would not be with a field that does not exist, or a value of another type', () => {
      const args = ['template', 'bottleneck-lab', CHART, '--kube-version', '1.32.0'];
      const text = execFileSync(helm, args, { encoding: 'utf8' });
      expect(problemsOf(text.replace('runAsNonRoot', 'runAsNonroot'))).toContain('runAsNonroot');
      expect(problemsOf(text.replace(/replicas: 1\n/, 'replicas: one\n'))).toContain('/spec/replicas');
    });
  },
);

describe.skipIf(BUILDER[1] === '')(`the overlays, by kustomize${missing(BUILDER)}`, () => {
  it.skipIf(helm === '').each(OVERLAYS)(
    `%s is what the chart makes of its values${missing(HELM)}`,
    (overlay) => {
      const chart = [...renderChart(helm, [`${overlay}.yaml`])]
        .filter(
          ([template]) => !template.startsWith('tests/') && (overlay !== 'local' || template !== 'seed.yaml'),
        )
        .flatMap(([, objects]) => objects.map(withoutHelm));
      const built = parseManifests(build(path.join(ROOT, 'k8s/overlays', overlay)));
      expect(byName(built.filter(({ kind }) => kind !== 'Namespace'))).toEqual(byName(chart));
    },
  );

  it.skipIf(kubeconform === '').each(OVERLAYS)(`%s is valid${missing(KUBECONFORM)}`, (overlay) => {
    expect(problemsOf(build(path.join(ROOT, 'k8s/overlays', overlay)))).toBe('');
  });

  it.skipIf(kubeconform === '').each(['k6-job', 'k6-operator'])(
    `local with %s is valid${missing(KUBECONFORM)}`,
    (component) => {
      const place = path.join(folder, component);
      execFileSync(process.execPath, [
        '-e',
        'require("node:fs").cpSync(process.argv[1], process.argv[2], { recursive: true })',
        path.join(ROOT, 'k8s'),
        place,
      ]);
      const file = path.join(place, 'overlays/local/kustomization.yaml');
      writeFileSync(file, `${readFileSync(file, 'utf8')}  - ../../components/${component}\n`);
      const text = build(path.join(place, 'overlays/local'));
      expect(text).toContain(component === 'k6-job' ? 'kind: Job' : 'kind: TestRun');
      expect(problemsOf(text)).toBe('');
    },
  );
});

/** Objects by kind and name, without namespaces and with environments in order of names: what does not matter to pods. */
function byName(objects: readonly Manifest[]): Map<string, Manifest> {
  const entries = objects.map((object): [string, Manifest] => {
    const copy = structuredClone(object) as Manifest & { metadata: { namespace?: string } };
    delete copy.metadata.namespace;
    for (const container of copy.spec?.template?.spec?.containers ?? []) {
      container.env?.sort((a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1));
    }
    return [`${object.kind} ${object.metadata.name}`, copy];
  });
  return new Map(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}
