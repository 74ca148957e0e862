// Writes what the chart takes from elsewhere in this repository, `node helm/generate.js` after `tsc -b`: a values file for each
// test of the article, from its scenario, and the load script as one file. A test compares the files with what this makes.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { stringify } from 'yaml';
import { applyLength, KNOB_TABLE, loadScenarios } from '../lab/dist/scenarios/index.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const CHART = path.join(ROOT, 'helm/bottleneck-lab');

/** The load that a chart's values are made for; throughput saved for later depends on it. */
const PLANNED_SECONDS = 60;
/**
 * CPU that delivery takes for one request: what the lab's calibration found on the machine of the published figures. No Job can
 * calibrate a cluster, whose nodes differ, so this is where the limit comes from; docs/azure.md says how to correct it.
 */
const DELIVERY_CPU_MS_PER_REQUEST = 3.92;

/** Every generated file by its path in the repository. */
export async function generate() {
  const files = new Map();
  for (const scenario of loadScenarios().filter(({ article }) => article !== undefined)) {
    files.set(`helm/bottleneck-lab/values/${scenario.name}.yaml`, valuesFile(scenario));
  }
  files.set('helm/bottleneck-lab/files/step-load.js', await loadScript());
  const profile = readFileSync(path.join(ROOT, 'loadtests/profiles/article.json'), 'utf8');
  files.set('helm/bottleneck-lab/files/article.json', profile);
  return files;
}

/** The knobs of a scenario at the values that the knob table names. */
function valuesFile(scenario) {
  const knobs = applyLength(scenario.knobs, PLANNED_SECONDS);
  const values = {};
  for (const [name, { helmValue }] of Object.entries(KNOB_TABLE)) {
    const value = name === 'burst' ? knobs.burstSeconds : knobs[name];
    if (helmValue === null || value === undefined) continue;
    if (name === 'deliveryRequestsPerSecond') {
      const cpu = `${Math.round(value * DELIVERY_CPU_MS_PER_REQUEST)}m`;
      put(values, helmValue, cpu);
      // A request above the limit is refused, and one below it shares the node with who is not throttled.
      put(values, helmValue.replace('.limits.', '.requests.'), cpu);
    } else put(values, helmValue, value);
  }
  const { name, title, article } = scenario;
  return `# Generated from lab/scenarios/${name}.yaml by helm/generate.js. Test ${article.test} of the article: ${title}.\n${stringify(values)}`;
}

function put(values, dottedPath, value) {
  const keys = dottedPath.split('.');
  const last = keys.pop();
  const place = keys.reduce((at, key) => {
    at[key] ??= {};
    return at[key];
  }, values);
  place[last] = value;
}

/** k6 mounts a ConfigMap as one flat folder, so the script's parts go into one file. */
async function loadScript() {
  const { outputFiles } = await build({
    entryPoints: [path.join(ROOT, 'loadtests/scripts/step-load.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    // What the oldest k6 that the script supports can read.
    target: 'es2020',
    external: ['k6', 'k6/*'],
    legalComments: 'none',
    banner: { js: '// Generated from loadtests/scripts/step-load.ts by helm/generate.js.' },
  });
  // Bundler comments name files relative to the caller's folder.
  return outputFiles[0].text.replaceAll(/^\/\/ (?:\.\.\/)*loadtests\/.*\n/gm, '');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [file, text] of await generate()) {
    writeFileSync(path.join(ROOT, file), text);
    process.stdout.write(`${path.relative(CHART, path.join(ROOT, file))}\n`);
  }
}
