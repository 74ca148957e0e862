import { SERVICE_NAMES } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { settings as gateway } from '../../gateway/src/config.js';
import { settings as delivery } from '../../services/delivery/src/config.js';
import { settings as droneUtilization } from '../../services/drone-utilization/src/config.js';
import { settings as packages } from '../../services/package/src/config.js';
import { type Manifest, readManifests, workloadsOf } from './manifests.js';

const SETTINGS = { gateway, delivery, package: packages, 'drone-utilization': droneUtilization };

/**
 * The arrows of the picture in ARCHITECTURE.md, from what the programs are told: a service calls whom it has the address of, all of
 * them send telemetry, and load comes in at the gateway.
 */
function picture(): string[] {
  const arrows = ['load > gateway:8080', 'seed > cosmos-emulator:8081'];
  for (const [service, settings] of Object.entries(SETTINGS)) {
    for (const { variable } of Object.values(settings)) {
      if (variable === 'COSMOS_ENDPOINT') arrows.push(`${service} > cosmos-emulator:8081`);
      const called = SERVICE_NAMES.find(
        (name) => variable === `${name.toUpperCase().replaceAll('-', '_')}_URL`,
      );
      if (called !== undefined) arrows.push(`${service} > ${called}:8080`);
    }
    arrows.push(`${service} > app-insights-emulator:4319`);
  }
  return arrows.sort();
}

interface Selector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values: string[] }[];
}
interface Peer {
  podSelector?: Selector;
  namespaceSelector?: Selector;
  ipBlock?: { cidr: string };
}

type Labels = Record<string, string>;

function matches({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== 'In') throw new Error(`operator ${operator} is not known to this test`);
      return values.includes(labels[key] ?? '');
    })
  );
}

/** Whether policies let a pod reach another one of the namespace, as the API's documentation defines it. */
function isAllowed(policies: readonly Manifest[], way: { from: Labels; to: Labels; port: number }): boolean {
  const open = (type: 'Egress' | 'Ingress', self: Labels, other: Labels) => {
    const rules = type === 'Egress' ? 'egress' : 'ingress';
    const peersOf = type === 'Egress' ? 'to' : 'from';
    const own = policies.filter(
      ({ spec }) => spec.policyTypes.includes(type) && matches(spec.podSelector, self),
    );
    if (own.length === 0) return true;
    return own.some(({ spec }) =>
      (spec[rules] ?? []).some(
        (rule: { ports?: { port: number }[]; to?: Peer[]; from?: Peer[] }) =>
          (rule.ports ?? []).some(({ port }) => port === way.port) &&
          (rule[peersOf] ?? []).some(
            ({ podSelector, namespaceSelector, ipBlock }) =>
              // Blocks of addresses are for what is outside: pods are not known by their addresses.
              ipBlock === undefined &&
              namespaceSelector === undefined &&
              podSelector !== undefined &&
              matches(podSelector, other),
          ),
      ),
    );
  };
  return open('Egress', way.from, way.to) && open('Ingress', way.to, way.from);
}

const PORTS = [80, 443, 4319, 6565, 8080, 8081, 9090];
const local = readManifests('base', 'components/stand-ins', 'components/k6-job');
const policiesOf = (objects: readonly Manifest[]) => objects.filter(({ kind }) => kind === 'NetworkPolicy');
const pods = new Map(
  workloadsOf([...local, ...readManifests('components/azure')]).map(({ labels }) => [
    labels['app.kubernetes.io/component'] as string,
    labels,
  ]),
);

function openWays(policies: readonly Manifest[]): string[] {
  const names = [...pods.keys()];
  return names
    .flatMap((from) =>
      names.flatMap((to) =>
        PORTS.filter(
          (port) =>
            from !== to &&
            isAllowed(policies, { from: pods.get(from) as Labels, to: pods.get(to) as Labels, port }),
        ).map((port) => `${from} > ${to}:${port}`),
      ),
    )
    .sort();
}

describe('network policies', () => {
  it('allow the arrows of the picture, and no other way between pods', () => {
    expect([...pods.keys()].sort()).toContain('cosmos-emulator');
    expect(openWays(policiesOf(local))).toEqual(picture());
  });

  it('without one of them, a way of the picture is closed', () => {
    const policies = policiesOf(local);
    const needed = policies.filter(({ metadata }) => /-(to|into)-/.test(metadata.name));
    expect(needed.length).toBeGreaterThan(10);
    for (const policy of needed) {
      if (policy.metadata.name.endsWith('-to-dns')) continue;
      const without = policies.filter((one) => one !== policy);
      const closed = picture().filter((way) => !openWays(without).includes(way));
      expect([policy.metadata.name, closed.length > 0]).toEqual([policy.metadata.name, true]);
    }
  });

  it('keep everything else in: names are resolved, and only Azure is reached from Azure’s overlay', () => {
    const outward = (objects: readonly Manifest[]) =>
      policiesOf(objects).filter(({ spec }) =>
        (spec.egress ?? []).some(({ to }: { to: Peer[] }) =>
          to.some(({ ipBlock, namespaceSelector }) => ipBlock ?? namespaceSelector),
        ),
      );
    expect(outward(local).map(({ metadata }) => metadata.name)).toEqual(['bottleneck-lab-to-dns']);
    const [azure, ...others] = outward(readManifests('components/azure'));
    expect(others).toEqual([]);
    expect(azure?.spec.egress[0].ports).toEqual([{ protocol: 'TCP', port: 443 }]);
    // Tokens of the node are not for pods.
    expect(azure?.spec.egress[0].to[0].ipBlock.except).toContain('169.254.169.254/32');
  });

  it('select every pod', () => {
    const deny = policiesOf(local).find(({ metadata }) => metadata.name.endsWith('default-deny'));
    expect(deny?.spec.policyTypes).toEqual(['Ingress', 'Egress']);
    for (const labels of pods.values()) expect(matches(deny?.spec.podSelector, labels)).toBe(true);
  });
});
