// Stands in for kubectl and a cluster: keeps objects in a file, writes down how it was called, and forwards ports for real.
//   node kubectl-stand-in.mjs STATE --context C --namespace N COMMAND...
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';

const [stateFile, , context, , namespace, command, ...args] = process.argv.slice(2);
const state = JSON.parse(readFileSync(stateFile, 'utf8'));
appendFileSync(`${stateFile}.log`, `${[command, ...args].join(' ')}\n`);

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

const save = () => writeFileSync(stateFile, JSON.stringify(state));
const print = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);
const deploymentOf = (resource) =>
  state.deployments.find(({ metadata }) => `deployment/${metadata.name}` === resource) ??
  fail(`Error from server (NotFound): ${resource} not found`);

/** As a controller does: pods of another generation take the place of the old ones. */
function replacePods(deployment) {
  const { labels, name } = deployment.metadata;
  const component = labels['app.kubernetes.io/component'];
  state.generation = (state.generation ?? 0) + 1;
  const isOwn = (pod) => pod.metadata.labels['app.kubernetes.io/component'] === component;
  const [old] = state.pods.filter(isOwn);
  state.pods = [
    ...state.pods.filter((pod) => !isOwn(pod)),
    ...Array.from({ length: deployment.spec.replicas }, (_, index) => ({
      ...old,
      metadata: { ...old.metadata, name: `${name}-${state.generation}-${index}` },
    })),
  ];
  save();
}

function get([kind, ...rest]) {
  if (kind === 'secret') {
    const data = state.secrets[rest[0]];
    return data === undefined
      ? fail(`Error from server (NotFound): secrets "${rest[0]}" not found`)
      : print({ data });
  }
  const wanted = rest[rest.indexOf('-l') + 1].split(',').map((pair) => pair.split('='));
  const items = state[kind].filter(({ metadata }) =>
    wanted.every(([label, value]) => metadata.labels[label] === value),
  );
  return print({ items });
}

function setEnv([, resource, ...pairs]) {
  const deployment = deploymentOf(resource);
  for (const pair of pairs) {
    const [name, value] = pair.split('=');
    const { env } = deployment.spec.template.spec.containers[0];
    env.splice(0, env.length, ...env.filter((one) => one.name !== name), { name, value });
  }
  replacePods(deployment);
}

function scale([resource, replicas]) {
  const deployment = deploymentOf(resource);
  deployment.spec.replicas = Number(replicas.split('=')[1]);
  replacePods(deployment);
}

function portForward([, address, resource, ports]) {
  const port = ports.slice(1);
  const place = resource.startsWith('pod/')
    ? state.pods.find(({ metadata }) => `pod/${metadata.name}` === resource)
    : {};
  if (place === undefined) return fail(`Error from server (NotFound): ${resource} not found`);
  const anyPod = resource.startsWith('pod/') ? state.forwards[`pod:${port}`] : undefined;
  const target =
    state.forwards[`${resource}:${port}`] ?? anyPod ?? fail(`error: nothing listens at ${resource}:${port}`);
  const server = net.createServer((socket) => {
    const other = net.connect(target, '127.0.0.1');
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ]) {
      from.pipe(to);
      from.on('error', () => to.destroy());
    }
  });
  return server.listen(0, address, () =>
    process.stdout.write(`Forwarding from ${address}:${server.address().port} -> ${port}\n`),
  );
}

if (context !== state.context) fail(`error: context "${context}" does not exist`);
if (namespace !== state.namespace) print({ items: [] });
else if (command === 'get') get(args);
else if (command === 'set') setEnv(args);
else if (command === 'scale') scale(args);
else if (command === 'port-forward') portForward(args);
else if (command === 'rollout') {
  deploymentOf(args[1]);
  process.stdout.write('successfully rolled out\n');
} else fail(`error: unknown command "${command}"`);
