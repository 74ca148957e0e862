// Bundles the programs that run in containers: `node docker/bundle.js [--out docker/out] [name ...]`, after `tsc -b`.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const TELEMETRY = 'libs/telemetry/dist/register.js';

/** One row per image: the package it holds, its program, whether it loads telemetry, and what has to stay a file of its own. */
export const PROGRAMS = {
  gateway: { folder: 'gateway', telemetry: true },
  delivery: { folder: 'services/delivery', telemetry: true },
  package: { folder: 'services/package', telemetry: true },
  'drone-utilization': { folder: 'services/drone-utilization', telemetry: true },
  'cosmos-emulator': { folder: 'emulators/cosmos' },
  'app-insights-emulator': {
    folder: 'emulators/app-insights',
    // Required at the first query as plain scripts, which share their globals.
    copied: {
      '@kusto/language-service-next': ['package.json', 'bridge.min.js', 'Kusto.Language.Bridge.min.js'],
    },
  },
  seed: { folder: 'lab', main: 'dist/seed-job/main.js' },
};

/**
 * Writes `<outDir>/<name>/` with `package.json`, from which a program knows its name and version, and `dist/`. Telemetry is a second
 * file that `node --import` loads first: what it observes are Node's own modules and diagnostics channels, of which there is one in a
 * process, however its code is packed. Nothing is split into chunks, in which a CommonJS module that is imported later would lose its
 * named exports.
 */
export async function bundleProgram(name, outDir) {
  const { folder, main = 'dist/main.js', telemetry, copied = {} } = PROGRAMS[name];
  const target = path.join(outDir, name);
  rmSync(target, { recursive: true, force: true });
  const entryPoints = { main: path.join(ROOT, folder, main) };
  if (telemetry) entryPoints.register = path.join(ROOT, TELEMETRY);
  await build({
    entryPoints,
    outdir: path.join(target, 'dist'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    // Dependencies in CommonJS ask for Node's own modules with `require`.
    banner: {
      js: "import { createRequire as createRequireHere } from 'node:module';\nconst require = createRequireHere(import.meta.url);",
    },
    logLevel: 'warning',
  });
  const { name: packageName, version } = JSON.parse(
    readFileSync(path.join(ROOT, folder, 'package.json'), 'utf8'),
  );
  writeFileSync(
    path.join(target, 'package.json'),
    `${JSON.stringify({ name: packageName, version, type: 'module' }, null, 2)}\n`,
  );
  for (const [dependency, files] of Object.entries(copied)) copyFiles({ folder, target, dependency, files });
  return target;
}

function copyFiles({ folder, target, dependency, files }) {
  const require = createRequire(path.join(ROOT, folder, 'package.json'));
  const source = path.dirname(require.resolve(`${dependency}/package.json`));
  const place = path.join(target, 'node_modules', dependency);
  mkdirSync(place, { recursive: true });
  for (const file of files) cpSync(path.join(source, file), path.join(place, file));
}

async function run() {
  const { values, positionals } = parseArgs({
    options: { out: { type: 'string', default: path.join(ROOT, 'docker/out') } },
    allowPositionals: true,
  });
  const names = positionals.length > 0 ? positionals : Object.keys(PROGRAMS);
  const unknown = names.filter((name) => !Object.hasOwn(PROGRAMS, name));
  if (unknown.length > 0) {
    throw new Error(`unknown program ${unknown.join(', ')}; known: ${Object.keys(PROGRAMS).join(', ')}`);
  }
  for (const name of names) console.log(await bundleProgram(name, values.out));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await run();
