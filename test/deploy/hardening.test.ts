import { describe, expect, it } from 'vitest';
import { type Container, type PodSpec, readManifests, workloadsOf } from './manifests.js';

const objects = readManifests(
  ...['base', 'components/stand-ins', 'components/azure', 'components/k6-job', 'components/k6-operator'],
);
const workloads = workloadsOf(objects);
const containers = workloads.flatMap(({ name, pod }) =>
  [...(pod.initContainers ?? []), ...pod.containers].map((container) => ({
    name: `${name}, ${container.name}`,
    container,
  })),
);

const CONTAINER_SECURITY = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

function podSecurityIs(security: Record<string, unknown>) {
  expect(security).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  for (const id of ['runAsUser', 'runAsGroup']) expect(security[id]).toBeGreaterThan(0);
}

const milli = (cpu: string) => (cpu.endsWith('m') ? Number(cpu.slice(0, -1)) : Number(cpu) * 1000);

describe('every workload', () => {
  it('is here', () => {
    expect(workloads.map(({ object }) => object.metadata.name.replace('bottleneck-lab-', '')).sort()).toEqual(
      [
        'app-insights-emulator',
        'cosmos-emulator',
        'delivery',
        'drone-utilization',
        'gateway',
        'load',
        'package',
        'seed',
      ],
    );
  });

  it.each(workloads)('$name runs as nobody in particular, with a system call filter', ({ pod }) => {
    podSecurityIs(pod.securityContext);
    const { hostNetwork, hostPID, hostIPC, enableServiceLinks } = pod as PodSpec;
    expect({ hostNetwork, hostPID, hostIPC }).toEqual({});
    expect(enableServiceLinks).toBe(false);
  });

  it.each(containers)('$name may gain nothing and write nowhere but to its volumes', ({ container }) => {
    expect(container.securityContext).toEqual(CONTAINER_SECURITY);
  });

  it.each(containers)('$name asks for what it needs, at most what it may use', ({ container }) => {
    const { requests, limits } = container.resources;
    for (const resource of ['cpu', 'memory']) {
      expect(requests[resource]).toMatch(/^\d/);
      expect(limits[resource]).toMatch(/^\d/);
    }
    expect(milli(String(requests.cpu))).toBeLessThanOrEqual(milli(String(limits.cpu)));
    expect(Number.parseInt(String(requests.memory), 10)).toBeLessThanOrEqual(
      Number.parseInt(String(limits.memory), 10),
    );
  });

  it.each(containers)('$name comes from a pinned image', ({ container }) => {
    expect(container.image).toMatch(/^[\w./-]+:\d+\.\d+\.\d+$/);
  });

  it.each(workloads)('$name has an account of its own, without a token', ({ object, pod }) => {
    expect(pod.serviceAccountName).toBe(object.metadata.name);
    expect(pod.automountServiceAccountToken).toBe(false);
    const accounts = objects.filter(
      ({ kind, metadata }) => kind === 'ServiceAccount' && metadata.name === pod.serviceAccountName,
    );
    expect(accounts.length).toBeGreaterThan(0);
    for (const account of accounts) expect(account.automountServiceAccountToken).toBe(false);
  });

  it.each(workloads)('$name mounts only memory of its own and configuration', ({ pod }) => {
    for (const { name: _, ...source } of pod.volumes ?? []) {
      expect(['emptyDir', 'configMap']).toContain(Object.keys(source).join());
    }
  });
});

describe('long-running workloads', () => {
  const deployments = workloads.filter(({ object }) => object.kind === 'Deployment');

  it.each(deployments)('$name has probes at ports that its container opens', ({ pod }) => {
    for (const container of pod.containers) {
      const ports = (container.ports ?? []).map(({ name }) => name);
      for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe'] as const) {
        expect(ports).toContain(container[probe]?.httpGet.port);
      }
    }
  });

  it('ask services at the internal port, which works while the public one is busy or draining', () => {
    const services = deployments.filter(({ labels }) =>
      ['gateway', 'delivery', 'package', 'drone-utilization'].includes(
        labels['app.kubernetes.io/component'] as string,
      ),
    );
    expect(services).toHaveLength(4);
    for (const { pod } of services) {
      const [container] = pod.containers as [Container];
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/-/live', port: 'internal' });
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/-/ready', port: 'internal' });
    }
  });

  it.each(deployments)('$name has time to drain before it is killed', ({ pod }) => {
    const env = Object.fromEntries((pod.containers[0]?.env ?? []).map(({ name, value }) => [name, value]));
    const graceSeconds = Number(env.SHUTDOWN_GRACE_MS ?? 0) / 1000;
    const preStop = pod.containers[0] as unknown as {
      lifecycle?: { preStop: { sleep: { seconds: number } } };
    };
    const preStopSeconds = preStop.lifecycle?.preStop.sleep.seconds ?? 0;
    // Telemetry is given 6 s to be delivered.
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(graceSeconds + preStopSeconds + 6);
  });

  it.each(objects.filter(({ kind }) => kind === 'Service'))(
    '$metadata.name is reached at a port that its pods open',
    ({ spec }) => {
      const pods = deployments.filter(({ labels }) =>
        Object.entries(spec.selector).every(([label, value]) => labels[label] === value),
      );
      expect(pods).toHaveLength(1);
      const ports = pods[0]?.pod.containers[0]?.ports ?? [];
      for (const { port, targetPort } of spec.ports) {
        expect(ports.find(({ name }) => name === targetPort)?.containerPort).toBe(port);
      }
    },
  );
});

describe('the load of the k6 operator', () => {
  const run = objects.find(({ kind }) => kind === 'TestRun');

  it('is as harmless as the others', () => {
    for (const part of ['initializer', 'starter', 'runner']) {
      const { securityContext, containerSecurityContext, automountServiceAccountToken } =
        run?.spec[part] ?? {};
      podSecurityIs(securityContext);
      expect(containerSecurityContext).toMatchObject({
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
      expect(automountServiceAccountToken).toBe('false');
    }
  });

  it('runs the script that is there', () => {
    const { name, file } = run?.spec.script.configMap ?? {};
    const script = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name);
    expect(script?.data?.[file]).toContain('export');
  });
});

describe('secrets', () => {
  it('are nobody else’s than the cluster’s', () => {
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    for (const { container } of containers) {
      for (const { name, value = '', valueFrom } of container.env ?? []) {
        if (!/(_KEY|_TOKEN|CONNECTION_STRING)$/.test(name) || name === 'PARTITION_KEY') continue;
        // The stand-in for Application Insights has a fixed key that protects nothing.
        if (value.startsWith('InstrumentationKey=00000000-0000-0000-0000-000000000001;')) continue;
        expect([name, valueFrom?.secretKeyRef?.key]).toEqual([name, expect.any(String)]);
      }
    }
  });
});
