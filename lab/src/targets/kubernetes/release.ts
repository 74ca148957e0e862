import { SERVICE_NAMES, type ServiceName } from '@bottleneck-lab/contracts';
import { z } from 'zod';
import { StackError } from '../../stack/errors.js';
import type { TelemetryUse } from '../../telemetry/settings.js';
import type { Kubectl } from './kubectl.js';

const COMPONENT = 'app.kubernetes.io/component';
const STAND_IN = 'cosmos-emulator';

const metadata = z.object({
  name: z.string(),
  labels: z.record(z.string(), z.string()).default({}),
  deletionTimestamp: z.string().optional(),
});

const variable = z.object({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z
    .object({ secretKeyRef: z.object({ name: z.string(), key: z.string() }).optional() })
    .optional(),
});

const deployment = z.object({
  metadata,
  spec: z.object({
    replicas: z.int().default(1),
    template: z.object({
      spec: z.object({ containers: z.array(z.object({ env: z.array(variable).default([]) })).min(1) }),
    }),
  }),
});
export type Deployment = z.output<typeof deployment>;

const pod = z.object({
  metadata,
  status: z.object({
    phase: z.string().default('Unknown'),
    conditions: z.array(z.object({ type: z.string(), status: z.string() })).default([]),
  }),
});

const secret = z.object({ data: z.record(z.string(), z.string()).default({}) });
const autoscaler = z.object({ spec: z.object({ scaleTargetRef: z.object({ name: z.string() }) }) });
const listOf = <Item extends z.ZodType>(item: Item) => z.object({ items: z.array(item) });

/** What an installed release consists of; read anew each time, as others may change it. */
export interface Release {
  service(name: ServiceName): Deployment;
  /** Null when the services use an account in Azure. */
  standIn: Deployment | null;
  /** Names of Deployments whose replicas an autoscaler sets. */
  autoscaled: ReadonlySet<string>;
}

const selector = (release: string) =>
  `app.kubernetes.io/name=bottleneck-lab,app.kubernetes.io/instance=${release}`;

/** @throws {StackError} CONTROL_FAILED when the release is not there, or not whole */
export async function readRelease(kubectl: Kubectl, release: string): Promise<Release> {
  const [deployments, autoscalers] = await Promise.all([
    kubectl.get(listOf(deployment), ['deployments', '-l', selector(release)]),
    kubectl.get(listOf(autoscaler), ['horizontalpodautoscalers', '-l', selector(release)]),
  ]);
  const byComponent = new Map(deployments.items.map((one) => [one.metadata.labels[COMPONENT], one]));
  const missing = SERVICE_NAMES.filter((name) => !byComponent.has(name));
  if (missing.length > 0) {
    throw new StackError(
      'CONTROL_FAILED',
      `${kubectl.place} has no Deployment of ${missing.join(', ')} in release ${release}; install it as k8s/README.md says, ` +
        'or name another with --namespace and --release',
    );
  }
  return {
    service: (name) => byComponent.get(name) as Deployment,
    standIn: byComponent.get(STAND_IN) ?? null,
    autoscaled: new Set(autoscalers.items.map(({ spec }) => spec.scaleTargetRef.name)),
  };
}

/** Ready pods of the services, by name; those that are about to end are none. */
export async function readServicePods(kubectl: Kubectl, release: string): Promise<string[]> {
  const { items } = await kubectl.get(listOf(pod), ['pods', '-l', selector(release)]);
  return items
    .filter(({ metadata: { labels, deletionTimestamp }, status }) => {
      const ready = status.conditions.some(({ type, status: holds }) => type === 'Ready' && holds === 'True');
      const ours = (SERVICE_NAMES as string[]).includes(labels[COMPONENT] ?? '');
      return ours && ready && deletionTimestamp === undefined;
    })
    .map(({ metadata: { name } }) => name);
}

/** A variable of a Deployment's container; undefined without. */
export function variableOf(source: Deployment, name: string): string | undefined {
  return envOf(source, name)?.value;
}

/** The value that a variable takes from a Secret. */
export async function secretOf(kubectl: Kubectl, source: Deployment, name: string): Promise<string> {
  const reference = envOf(source, name)?.valueFrom?.secretKeyRef;
  if (reference === undefined) {
    throw new StackError(
      'CONTROL_FAILED',
      `${source.metadata.name} in ${kubectl.place} does not take ${name} from a Secret; was it installed by this chart?`,
    );
  }
  const { data } = await kubectl.get(secret, ['secret', reference.name]);
  return Buffer.from(data[reference.key] ?? '', 'base64').toString('utf8');
}

/** How a service sends telemetry; null when it sends none, or to a receiver that is none of the lab's. */
export function telemetryOf(source: Deployment): TelemetryUse | null {
  const connection = envOf(source, 'APPLICATIONINSIGHTS_CONNECTION_STRING');
  if (connection === undefined) return null;
  return {
    // Only the stand-in has an endpoint without TLS; a resource's connection string is in a Secret.
    receiver: connection.value?.includes('IngestionEndpoint=http:') ? 'stand-in' : 'azure',
    sdk: 'applicationinsights',
    samplingRatio: Number(variableOf(source, 'TELEMETRY_SAMPLING_RATIO') ?? 1),
  };
}

function envOf(source: Deployment, name: string) {
  return source.spec.template.spec.containers[0]?.env.find((one) => one.name === name);
}
