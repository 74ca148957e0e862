import { basename, dirname, extname, resolve } from 'node:path';
import type { Plugin } from 'esbuild';
import { MODULE_EXPORTS } from './modules/exports.js';

const SCRIPT_EXTENSIONS = ['.js', '.mjs', '.cjs', '.ts', '.mts'];

/** The variable that holds a module's export in the bundle; nothing else is called like this. */
export function exportVariable(module: string, name: string): string {
  return `__${module.replaceAll(/\W/g, '_')}__${name}`;
}

/** Resolves imports as k6 does: its own modules, and local files with their extension. Anything else is refused by name. */
export function scriptModules(): Plugin {
  return {
    name: 'script-modules',
    setup(build) {
      build.onResolve({ filter: /.*/ }, ({ path, kind, resolveDir }) => {
        if (kind === 'entry-point') return undefined;
        if (path in MODULE_EXPORTS) return { path, namespace: 'k6' };
        if (path.startsWith('.') || path.startsWith('/') || path.startsWith('file://')) {
          const local = path.replace(/^file:\/\//, '');
          if (SCRIPT_EXTENSIONS.includes(extname(local))) return { path: resolve(resolveDir, local) };
          return refusal(
            `importing '${basename(path)}' is not supported; a local import names a script with its extension (${SCRIPT_EXTENSIONS.join(', ')})`,
          );
        }
        return refusal(refuse(path));
      });
      build.onLoad({ filter: /.*/, namespace: 'k6' }, ({ path }) => ({
        contents: moduleSource(path),
        loader: 'js',
        resolveDir: dirname(path),
      }));
    },
  };
}

function refusal(text: string) {
  return { errors: [{ text }] };
}

function refuse(path: string): string {
  const supported = Object.keys(MODULE_EXPORTS).join(', ');
  if (/^https?:/.test(path))
    return `the remote import '${path}' is not supported; save the file beside the script`;
  if (path === 'k6' || path.startsWith('k6/')) {
    return `the module '${path}' is not supported by the built-in engine; supported are ${supported}`;
  }
  return `the package '${path}' is not supported; scripts may import local files and ${supported}`;
}

/** Each virtual user gets its own values, so the module only hands on what the host of the evaluation has. */
function moduleSource(module: string): string {
  const name = JSON.stringify(module);
  const all = exportVariable(module, 'all');
  const lines = [`const ${all} = __host.modules[${name}];`, `export { ${all} as default };`];
  for (const exported of MODULE_EXPORTS[module] ?? []) {
    const variable = exportVariable(module, exported);
    lines.push(`const ${variable} = ${all}.${exported};`, `export { ${variable} as ${exported} };`);
  }
  return lines.join('\n');
}
