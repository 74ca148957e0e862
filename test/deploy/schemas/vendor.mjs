// Makes kubernetes.json: what kubeconform needs to check the kinds that our manifests use, without a network.
//   node test/deploy/schemas/vendor.mjs DEFINITIONS
// DEFINITIONS is `_definitions.json` of kubernetes-json-schema/v1.32.0-local-strict in the Python package kubernetes-validate 1.37.0,
// made from the OpenAPI description of Kubernetes (Apache-2.0).
import { readFileSync, writeFileSync } from 'node:fs';

const KINDS = {
  ConfigMap: 'io.k8s.api.core.v1.ConfigMap',
  Deployment: 'io.k8s.api.apps.v1.Deployment',
  HorizontalPodAutoscaler: 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
  Job: 'io.k8s.api.batch.v1.Job',
  Namespace: 'io.k8s.api.core.v1.Namespace',
  NetworkPolicy: 'io.k8s.api.networking.v1.NetworkPolicy',
  Pod: 'io.k8s.api.core.v1.Pod',
  PodDisruptionBudget: 'io.k8s.api.policy.v1.PodDisruptionBudget',
  Service: 'io.k8s.api.core.v1.Service',
  ServiceAccount: 'io.k8s.api.core.v1.ServiceAccount',
};

const all = JSON.parse(readFileSync(process.argv[2], 'utf8')).$defs;
const used = {};
for (const name of Object.values(KINDS)) take(name);

function take(name) {
  if (Object.hasOwn(used, name)) return;
  if (all[name] === undefined) throw new Error(`no definition ${name}`);
  used[name] = {};
  used[name] = withoutProse(all[name]);
}

/** Descriptions are most of the file; references are followed. */
function withoutProse(value, isPropertyTable = false) {
  if (Array.isArray(value)) return value.map((one) => withoutProse(one));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isPropertyTable || !(key === 'description' || key.startsWith('x-kubernetes-')))
      .map(([key, one]) => {
        if (key !== '$ref' || isPropertyTable)
          return [key, withoutProse(one, key === 'properties' && !isPropertyTable)];
        const name = one.split('/').at(-1);
        take(name);
        return [key, `#/$defs/${name}`];
      }),
  );
}

const schema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $comment:
    'Kubernetes 1.32, strict, made by vendor.mjs from the OpenAPI description of Kubernetes. Apache-2.0.',
  type: 'object',
  required: ['apiVersion', 'kind'],
  properties: { kind: { enum: Object.keys(KINDS) } },
  allOf: Object.entries(KINDS).map(([kind, name]) => ({
    if: { properties: { kind: { const: kind } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { $ref: `#/$defs/${name}` },
  })),
  $defs: Object.fromEntries(Object.entries(used).sort(([a], [b]) => (a < b ? -1 : 1))),
};
writeFileSync(new URL('kubernetes.json', import.meta.url), `${JSON.stringify(schema)}\n`);
