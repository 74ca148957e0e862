import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { docker } from './docker.js';

/** The targets of the Dockerfile that make an image. */
export const IMAGE_NAMES = [
  'gateway',
  'delivery',
  'package',
  'drone-utilization',
  'cosmos-emulator',
  'app-insights-emulator',
  'seed',
] as const;
export type ImageName = (typeof IMAGE_NAMES)[number];

/** What there is to test with, or why there is nothing. */
export type Images =
  | { available: true; base: string; tag: string; tags: Record<ImageName, string> }
  | {
      available: false;
      reason: string /** What a build that should have succeeded printed. */;
      failure: string | null;
    };

declare module 'vitest' {
  export interface ProvidedContext {
    images: Images;
  }
}

/** Of images that only tests use. */
export const REPOSITORY = 'bottleneck-lab-test';
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PULL_MS = 120_000;
const BUILD_MS = 900_000;

/** Builds the images once, before the first test. What is missing on this machine is a reason to skip; a bad build fails one test. */
export default async function setup(project: TestProject): Promise<void> {
  const images = await buildImages();
  if (!images.available) console.warn(`\ncontainer tests are skipped: ${images.reason}\n`);
  project.provide('images', images);
}

async function buildImages(): Promise<Images> {
  const engine = await docker(['info', '--format', '{{.ServerVersion}} on {{.OSType}}']);
  if (engine.code !== 0) return missing(`no docker engine answers (${lastLine(engine.output)})`);
  // Tests ask containers by their addresses, which only Linux routes to.
  if (process.platform !== 'linux') return missing(`they need Linux, not ${process.platform}`);
  const base = process.env.NODE_IMAGE || defaultBase();
  if ((await docker(['image', 'inspect', base])).code !== 0) {
    const pulled = await docker(['pull', '--quiet', base], { timeoutMs: PULL_MS });
    if (pulled.code !== 0) {
      return missing(`the base image ${base} can not be had (${lastLine(pulled.output)}); set NODE_IMAGE`);
    }
  }
  const packages = await build({ target: 'dependencies', base });
  if (packages.code !== 0) {
    return missing(`npm can not install packages inside a build (${lastLine(packages.output)})`);
  }
  const suffix = createHash('sha256').update(ROOT).digest('hex').slice(0, 8);
  const tags = {} as Record<ImageName, string>;
  for (const target of IMAGE_NAMES) {
    tags[target] = `${REPOSITORY}/${target}:${suffix}`;
    const built = await build({ target, base, tag: tags[target] });
    if (built.code !== 0) {
      const failure = built.output.slice(-4_000);
      return { available: false, reason: `the image ${target} can not be built`, failure };
    }
  }
  return { available: true, base, tag: suffix, tags };
}

function build({ target, base, tag }: { target: string; base: string; tag?: string }) {
  const registry = process.env.npm_config_registry;
  return docker(
    [
      ...['build', '--target', target, '--build-arg', `NODE_IMAGE=${base}`],
      ...(registry === undefined ? [] : ['--build-arg', `NPM_REGISTRY=${registry}`]),
      ...(tag === undefined ? [] : ['--tag', tag]),
      ROOT,
    ],
    { timeoutMs: BUILD_MS },
  );
}

function missing(reason: string): Images {
  return { available: false, reason, failure: null };
}

function defaultBase(): string {
  const dockerfile = readFileSync(path.join(ROOT, 'Dockerfile'), 'utf8');
  return dockerfile.match(/^ARG NODE_IMAGE=(\S+)$/m)?.[1] ?? 'node';
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
