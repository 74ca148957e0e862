import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Bundles the page of the lab console into lab/console/dist. Does nothing when that is newer than its sources, so
 * that it can stand before every command.
 */
const here = path.dirname(fileURLToPath(import.meta.url));
const sources = path.join(here, 'src');
const dist = path.join(here, 'dist');
const bundle = path.join(dist, 'console.js');

function newestChange() {
  const files = readdirSync(sources, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const times = files.map((entry) => statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  return Math.max(statSync(fileURLToPath(import.meta.url)).mtimeMs, ...times);
}

function isCurrent() {
  try {
    return statSync(bundle).mtimeMs > newestChange();
  } catch {
    return false;
  }
}

if (!isCurrent()) {
  const { build, transform } = await import('esbuild');
  mkdirSync(dist, { recursive: true });
  for (const file of ['index.html', 'icon.svg'])
    copyFileSync(path.join(sources, file), path.join(dist, file));
  const chartStyle = readFileSync(fileURLToPath(import.meta.resolve('uplot/dist/uPlot.min.css')), 'utf8');
  const styles = ['page', 'run', 'views'].map((name) =>
    readFileSync(path.join(sources, `styles/${name}.css`), 'utf8'),
  );
  const { code } = await transform([chartStyle, ...styles].join('\n'), { loader: 'css', minify: true });
  writeFileSync(path.join(dist, 'console.css'), code);
  await build({
    entryPoints: [path.join(sources, 'main.tsx')],
    outfile: bundle,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'inline',
    logLevel: 'warning',
  });
}
