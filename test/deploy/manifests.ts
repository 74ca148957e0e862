import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments } from 'yaml';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));
export const CHART = path.join(ROOT, 'helm/bottleneck-lab');

export interface EnvironmentVariable {
  name: string;
  value?: string;
  valueFrom?: { secretKeyRef?: { name: string; key: string }; fieldRef?: { fieldPath: string } };
}

export interface Container {
  name: string;
  image: string;
  args?: string[];
  env?: EnvironmentVariable[];
  envFrom?: { configMapRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  securityContext?: Record<string, unknown>;
  resources: { requests: Record<string, string>; limits: Record<string, string> };
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
  [probe: `${string}Probe`]: { httpGet: { path: string; port: string | number } };
}

export interface PodSpec {
  serviceAccountName: string;
  automountServiceAccountToken: boolean;
  securityContext: Record<string, unknown>;
  containers: Container[];
  initContainers?: Container[];
  volumes?: Record<string, unknown>[];
  terminationGracePeriodSeconds?: number;
  [field: string]: unknown;
}

export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  // Each kind has its own; tests name the fields they read.
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the kind, and kubeconform checks it
  spec?: any;
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
}

export function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Manifest | null)
    .filter((object) => object !== null);
}

/** Objects of every file below folders of `k8s/`, kustomizations and patches left out. */
export function readManifests(...folders: string[]): Manifest[] {
  return folders.flatMap((folder) => {
    const place = path.join(ROOT, 'k8s', folder);
    return readdirSync(place)
      .filter((file) => file.endsWith('.yaml') && !['kustomization.yaml', 'services.yaml'].includes(file))
      .flatMap((file) => parseManifests(readFileSync(path.join(place, file), 'utf8')));
  });
}

export const componentOf = (object: Manifest) =>
  object.metadata.labels?.['app.kubernetes.io/component'] ?? object.metadata.name;

/** A workload and the pod that it makes. */
export interface Workload {
  name: string;
  object: Manifest;
  labels: Record<string, string>;
  pod: PodSpec;
}

export function workloadsOf(objects: readonly Manifest[]): Workload[] {
  return objects
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .map((object) => ({
      name: `${object.kind} ${object.metadata.name}`,
      object,
      labels: object.spec.template.metadata.labels,
      pod: object.spec.template.spec,
    }));
}

/** A container's variables as its process sees them; what comes from elsewhere stands in as the given text. */
export function environmentOf(
  container: Container,
  objects: readonly Manifest[],
  stand = (variable: EnvironmentVariable) => variable.valueFrom?.fieldRef?.fieldPath ?? 'c2VjcmV0',
): Record<string, string> {
  const maps = (container.envFrom ?? []).map(
    ({ configMapRef }) =>
      objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapRef?.name)
        ?.data,
  );
  const own = (container.env ?? []).map((variable) => [variable.name, variable.value ?? stand(variable)]);
  return Object.assign({}, ...maps, Object.fromEntries(own));
}
