import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';

const require = createRequire(import.meta.url);

/** What the numbers depend on besides the code. */
export function describeMachine() {
  const cpus = os.cpus();
  return {
    cpu: cpus[0]?.model.trim() || 'unknown',
    cores: os.availableParallelism(),
    memoryGb: Number((os.totalmem() / 1024 ** 3).toFixed(1)),
    system: `${os.type()} ${os.arch()}`,
    loadAverage: os.loadavg().map((load) => Number(load.toFixed(2))),
    versions: {
      node: process.versions.node,
      v8: process.versions.v8,
      'bottleneck-lab': versionIn(require.resolve('../package.json')),
      undici: versionIn(require.resolve('undici/package.json')),
      autocannon: versionIn(require.resolve('autocannon/package.json')),
    },
  };
}

/** @param {string} file */
function versionIn(file) {
  return String(JSON.parse(readFileSync(file, 'utf8')).version);
}

/** @param {ReturnType<typeof describeMachine>} machine */
export function machineText({ cpu, cores, memoryGb, system, loadAverage, versions }) {
  const named = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${cpu}, ${cores} cores, ${memoryGb} GB, ${system}\n${named.join(', ')}\nload average ${loadAverage.join(' ')}\n`;
}
