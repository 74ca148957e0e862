// Renders the chart into plain manifests for kustomize: `node k8s/render.js`, with helm installed. A test compares the files with
// what this makes, and the overlays with the chart.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';
import { findTool } from './tools.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHART = path.join(ROOT, 'helm/bottleneck-lab');
const KUBE_VERSION = '1.32.0';
const HEADER = '# Rendered from helm/bottleneck-lab by k8s/render.js.\n';
/** What a k6 Job runs, longer than the chart's test. */
const JOB_SECONDS = '60';

/** The application alone: overlays say where its account and its telemetry are. */
const APPLICATION = {
  cosmosEmulator: { enabled: false },
  cosmos: { endpoint: 'https://ACCOUNT.documents.azure.com' },
};

/**
 * Objects of the chart by template, for example `gateway.yaml`.
 * @param values names of files in the chart's `values/` folder, or values themselves
 */
export function renderChart(helm, values = []) {
  const files = values.filter((one) => typeof one === 'string');
  const inline = values.filter((one) => typeof one !== 'string');
  const text = execFileSync(
    helm,
    [
      ...['template', 'bottleneck-lab', CHART, '--kube-version', KUBE_VERSION],
      ...files.flatMap((file) => ['-f', path.join(CHART, 'values', file)]),
      ...(inline.length > 0 ? ['-f', '-'] : []),
    ],
    { encoding: 'utf8', input: stringify(Object.assign({}, ...inline)), stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const templates = new Map();
  for (const document of parseAllDocuments(text)) {
    const object = document.toJS();
    if (object === null) continue;
    const comments = `${document.commentBefore ?? ''}\n${document.contents?.commentBefore ?? ''}`;
    const source = /Source: bottleneck-lab\/templates\/(\S+)/.exec(comments);
    const template = source?.[1] ?? '';
    templates.set(template, [...(templates.get(template) ?? []), object]);
  }
  return templates;
}

/** An object as kustomize gets it: without what only Helm means something to. */
export function withoutHelm(object) {
  const { labels = {}, annotations, ...metadata } = object.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([name]) => !name.startsWith('helm.sh/'));
  const { 'helm.sh/chart': _chart, 'app.kubernetes.io/managed-by': _manager, ...ownLabels } = labels;
  return {
    ...object,
    metadata: {
      ...metadata,
      labels: ownLabels,
      ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }),
    },
  };
}

/** Every rendered file by its path in the repository. */
export function renderManifests(helm) {
  const files = new Map();
  const add = (folder, templates, names) => {
    for (const name of names) {
      const objects = templates.get(name).map(withoutHelm);
      files.set(`k8s/${folder}/${path.basename(name)}`, toText(objects));
    }
  };
  const services = ['gateway.yaml', 'delivery.yaml', 'package.yaml', 'drone-utilization.yaml'];
  const application = renderChart(helm, [APPLICATION]);
  add('base', application, [...services, 'network-policies.yaml']);
  add('components/stand-ins', renderChart(helm, ['local.yaml']), [
    'cosmos-emulator.yaml',
    'app-insights-emulator.yaml',
  ]);
  // Where images come from is the overlay's business.
  const azure = renderChart(helm, ['aks.yaml', { image: { registry: '' } }]);
  add('components/azure', azure, ['network-policy-azure.yaml', 'seed.yaml']);
  const load = application.get('tests/load.yaml').map(withoutHelm);
  const [account, script, pod] = load;
  files.set('k8s/components/k6-job/job.yaml', toText([account, script, jobOf(pod)]));
  files.set('k8s/components/k6-operator/script.yaml', toText([account, script]));
  return files;
}

function jobOf(pod) {
  const { name, labels } = pod.metadata;
  const [container] = pod.spec.containers;
  const env = container.env.map((variable) => {
    if (variable.name === 'DURATION_S') return { ...variable, value: JOB_SECONDS };
    return variable.name === 'RUN_ID' ? { ...variable, value: 'k6-job' } : variable;
  });
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name, labels },
    spec: {
      backoffLimit: 0,
      template: { metadata: { labels }, spec: { ...pod.spec, containers: [{ ...container, env }] } },
    },
  };
}

function toText(objects) {
  return (
    HEADER +
    objects.map((object) => stringify(object, { lineWidth: 0, aliasDuplicateObjects: false })).join('---\n')
  );
}

function main() {
  const helm = findTool('helm');
  if (helm === null) {
    process.stderr.write('helm is neither on PATH nor installed by .ci/deploy-tools.sh\n');
    process.exitCode = 1;
    return;
  }
  for (const [file, text] of renderManifests(helm)) {
    const place = path.join(ROOT, file);
    if (readIfThere(place) === text) continue;
    writeFileSync(place, text);
    process.stdout.write(`${file}\n`);
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
