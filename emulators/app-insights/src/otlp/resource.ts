import os from 'node:os';
import type { Attributes } from './attributes.js';

export type Tags = Record<string, string>;

/** Kubernetes names that stand in for a service's, in the exporter's order. */
const WORKLOADS = [
  'k8s.deployment.name',
  'k8s.replicaset.name',
  'k8s.statefulset.name',
  'k8s.job.name',
  'k8s.cronjob.name',
  'k8s.daemonset.name',
];

/** Context tags of a resource, by the Azure Monitor exporter's rules for cloud role and instance. */
export function tagsOfResource(resource: Attributes): Tags {
  const tags: Tags = {
    'ai.cloud.role': cloudRole(resource),
    'ai.cloud.roleInstance': String(
      resource['k8s.pod.name'] ?? resource['service.instance.id'] ?? resource['host.name'] ?? os.hostname(),
    ),
    'ai.internal.sdkVersion': sdkVersion(resource),
  };
  if (resource['service.version'] !== undefined)
    tags['ai.application.ver'] = String(resource['service.version']);
  return tags;
}

function cloudRole(resource: Attributes): string {
  const name = resource['service.name'];
  const namespace = resource['service.namespace'];
  const full = namespace === undefined ? String(name ?? '') : `${namespace}.${name}`;
  if (name !== undefined && !String(name).startsWith('unknown_service')) return full;
  const workload = WORKLOADS.map((key) => resource[key]).find((value) => value !== undefined);
  return workload === undefined ? full : String(workload);
}

function sdkVersion(resource: Attributes): string {
  const language = resource['telemetry.sdk.language'];
  const version = resource['telemetry.sdk.version'];
  return language === undefined ? 'otlp' : `${language}:otlp${version ?? ''}`;
}
