import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

/** What each part may import of this repository. A part's own files are always allowed. */
const ALLOWED: Record<string, readonly string[]> = {
  'libs/contracts': [],
  'libs/service-kit': ['libs/contracts'],
  'libs/telemetry': ['libs/contracts'],
  gateway: ['libs/contracts', 'libs/service-kit'],
  'services/delivery': ['libs/contracts', 'libs/service-kit'],
  'services/package': ['libs/contracts', 'libs/service-kit'],
  'services/drone-utilization': ['libs/contracts', 'libs/service-kit'],
  'emulators/cosmos': [],
  'emulators/app-insights': [],
  loadtests: [],
  lab: [
    'libs/contracts',
    'libs/telemetry',
    'gateway',
    'services/delivery',
    'services/package',
    'services/drone-utilization',
    'emulators/cosmos',
    'emulators/app-insights',
    'loadtests',
  ],
};

const partOfPackage = new Map<string, string>(
  Object.keys(ALLOWED).map((part) => [
    JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8')).name,
    part,
  ]),
);

function sourceFiles(part: string): string[] {
  return readdirSync(join(root, part), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mts|js|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/](dist|node_modules)[\\/]/.test(file));
}

/** The parts that a file imports, by package name or by a relative path that leaves its own part. */
function importedParts(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const specifiers = [...text.matchAll(/(?:from|import|require|resolve)\s*\(?\s*['"]([^'"\n]+)['"]/g)].map(
    (match) => match[1] as string,
  );
  return specifiers.flatMap((specifier) => {
    if (specifier.startsWith('@bottleneck-lab/')) {
      const name = specifier.split('/').slice(0, 2).join('/');
      return [partOfPackage.get(name) ?? name];
    }
    if (!specifier.startsWith('.')) return [];
    const target = relative(root, resolve(dirname(file), specifier))
      .split(sep)
      .join('/');
    return Object.keys(ALLOWED).filter((part) => target === part || target.startsWith(`${part}/`));
  });
}

describe('dependency arrow', () => {
  for (const [part, allowed] of Object.entries(ALLOWED)) {
    it(`${part} imports only ${allowed.length > 0 ? allowed.join(', ') : 'itself'}`, () => {
      const files = sourceFiles(part);
      expect(files.length).toBeGreaterThan(0);
      const forbidden = files.flatMap((file) =>
        importedParts(file)
          .filter((imported) => imported !== part && !allowed.includes(imported))
          .map((imported) => `${relative(root, file)} imports ${imported}`),
      );
      expect(forbidden).toEqual([]);
    });

    it(`${part} declares no other dependency of this repository`, () => {
      const manifest = JSON.parse(readFileSync(join(root, part, 'package.json'), 'utf8'));
      const declared = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
        .map((name) => partOfPackage.get(name))
        .filter((name): name is string => name !== undefined);
      expect(declared.filter((name) => !allowed.includes(name))).toEqual([]);
    });
  }

  it('sees a forbidden import when there is one', () => {
    const found = importedParts(join(root, 'test/unit/architecture/forbidden-import.fixture.ts'));
    expect(found).toEqual(['emulators/cosmos', 'lab']);
  });
});
