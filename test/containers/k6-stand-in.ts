import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { mustDocker } from './docker.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const STAND_IN = fileURLToPath(new URL('./k6-stand-in/', import.meta.url));

/** Builds the image that stands in for k6's, and gives its name. What it needs of npm is copied, nothing is fetched. */
export async function buildK6StandIn(base: string): Promise<string> {
  const context = mkdtempSync(path.join(os.tmpdir(), 'k6-stand-in-'));
  const app = path.join(context, 'app');
  const tag = `bottleneck-lab-test/k6:${createHash('sha256').update(ROOT).digest('hex').slice(0, 8)}`;
  try {
    cpSync(STAND_IN, app, { recursive: true });
    for (const part of ['dist', 'package.json']) {
      cpSync(path.join(ROOT, 'loadtests', part), path.join(app, part), { recursive: true });
    }
    for (const name of packages()) {
      cpSync(path.join(ROOT, 'node_modules', name), path.join(app, 'node_modules', name), {
        recursive: true,
        dereference: true,
      });
    }
    const dockerfile = path.join(STAND_IN, 'Dockerfile');
    await mustDocker('build', '-f', dockerfile, '--build-arg', `NODE_IMAGE=${base}`, '--tag', tag, context);
    return tag;
  } finally {
    rmSync(context, { recursive: true, force: true });
  }
}

/** The engine's own dependencies, and esbuild's program for this machine. */
function packages(): string[] {
  const manifest = JSON.parse(readFileSync(path.join(ROOT, 'loadtests/package.json'), 'utf8'));
  const program = `@esbuild/linux-${os.arch()}`;
  return [...Object.keys(manifest.dependencies), program].filter((name) =>
    existsSync(path.join(ROOT, 'node_modules', name)),
  );
}
