import { existsSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import type { BuildFailure, Message } from 'esbuild';
import { bundle } from './bundler.js';
import { LoadError } from './errors.js';
import type { ModuleValues } from './modules/exports.js';
import { type Finding, findUnawaitedCall, findUnsupportedMember } from './script-checks.js';
import { scriptModules } from './script-modules.js';

/** What one evaluation of the script sees: `__VU`, `__ITER`, `__ENV` and its own module values. */
export interface ScriptHost {
  readonly modules: ModuleValues;
  readonly vu: number;
  iteration: number | undefined;
  env: Record<string, string>;
  readonly globals: object;
}

/** Functions and objects that k6 has as globals, in the order of the wrapper's parameters. */
export interface ScriptGlobals {
  open: unknown;
  console: unknown;
  setTimeout: unknown;
  clearTimeout: unknown;
  setInterval: unknown;
  clearInterval: unknown;
}

export type ScriptExports = Record<string, unknown>;

/** Globals of Node that k6 does not have. A script that would only run here must not run here either. */
const HIDDEN_GLOBALS = [
  'process',
  'Buffer',
  'global',
  'require',
  'fetch',
  'Headers',
  'Request',
  'Response',
  'FormData',
  'Blob',
  'WebSocket',
  'EventSource',
  'URL',
  'URLSearchParams',
  'performance',
  'structuredClone',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'AbortController',
  'MessageChannel',
  'BroadcastChannel',
  'WebAssembly',
];

const GLOBAL_NAMES: readonly (keyof ScriptGlobals)[] = [
  'open',
  'console',
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
];

/** How the bundler reports a name that a module does not have. */
const MISSING_EXPORT = /^No matching export in "k6:(?<module>.*)" for import "(?<name>.*)"$/;
const UNDEFINED_IMPORT =
  /^Import "(?<name>.*)" will always be undefined because there is no matching export in "k6:(?<module>.*)"$/;

type Wrapper = (...parameters: unknown[]) => void;

/** A bundled script; each {@link evaluate} makes an instance with its own module-level state. */
export class LoadScript {
  readonly path: string;
  readonly #lines: readonly string[];
  readonly #map: SourceMap;
  readonly #fileName: string;
  readonly #wrapper: Wrapper;

  constructor(path: string, code: string, map: SourceMapPayload) {
    this.path = path;
    this.#fileName = `${basename(path)}-bundle.js`;
    this.#lines = code.split('\n');
    this.#map = new SourceMap(map);
    const finding = findUnsupportedMember(this.#lines) ?? findUnawaitedCall(this.#lines);
    if (finding !== undefined) throw new LoadError('LOAD_SCRIPT_UNSUPPORTED', this.#locate(finding));
    const parameters = ['__host', 'module', 'exports', ...GLOBAL_NAMES, ...HIDDEN_GLOBALS].join(', ');
    this.#wrapper = new Script(`(function (${parameters}) { 'use strict';\n${code}\n})`, {
      filename: this.#fileName,
      lineOffset: -1,
    }).runInThisContext() as Wrapper;
  }

  evaluate(host: ScriptHost, globals: ScriptGlobals): ScriptExports {
    const module = { exports: {} as ScriptExports };
    this.#wrapper(host, module, module.exports, ...GLOBAL_NAMES.map((name) => globals[name]));
    return module.exports;
  }

  /** Replaces positions in the bundle by those in the script's own files, and drops what lies outside of it. */
  explain(thrown: unknown): string {
    if (!(thrown instanceof Error) || thrown.stack === undefined) return String(thrown);
    const position = new RegExp(`${this.#fileName.replaceAll('.', '\\.')}:(\\d+):(\\d+)`);
    const [first = '', ...frames] = thrown.stack.split('\n    at ');
    const own = frames.flatMap((frame) => {
      const match = position.exec(frame);
      if (match === null) return [];
      const place = this.#place(Number(match[1]) - 1, Number(match[2]) - 1);
      return [`    at ${frame.replace(/\(?[^ (]*$/, '')}${place}`];
    });
    return [first, ...own].join('\n');
  }

  #locate({ line, column, text }: Finding): string {
    return `${this.#place(line, column)}: ${text}`;
  }

  #place(line: number, column: number): string {
    const entry = this.#map.findEntry(line, column);
    if (!('originalSource' in entry)) return basename(this.path);
    const file = resolve(dirname(this.path), decodeURI(entry.originalSource));
    return `${shortPath(file)}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
  }
}

/** Bundles a script with its local imports. Errors name the file, the line and what is not supported. */
export async function loadScript(scriptPath: string): Promise<LoadScript> {
  const path = scriptPath.startsWith('file://') ? fileURLToPath(scriptPath) : resolve(scriptPath);
  if (!existsSync(path))
    throw new LoadError('LOAD_SCRIPT_NOT_FOUND', `the script ${scriptPath} does not exist`);
  const bundled = await bundle({
    entryPoints: [path],
    absWorkingDir: dirname(path),
    outfile: join(dirname(path), 'bundle.js'),
    bundle: true,
    format: 'cjs',
    platform: 'neutral',
    target: 'es2022',
    sourcemap: 'external',
    logLevel: 'silent',
    tsconfigRaw: '{}',
    define: {
      __VU: '__host.vu',
      __ITER: '__host.iteration',
      __ENV: '__host.env',
      globalThis: '__host.globals',
    },
    plugins: [scriptModules()],
  }).catch((failure: BuildFailure) => {
    throw buildError(path, failure.errors ?? [], failure);
  });
  const undefinedImport = bundled.warnings.filter((warning) => warning.id === 'import-is-undefined');
  if (undefinedImport.length > 0) throw buildError(path, undefinedImport, undefined);
  const [code, map] = ['bundle.js', 'bundle.js.map'].map(
    (name) => bundled.outputFiles.find((file) => basename(file.path) === name)?.text ?? '',
  );
  return new LoadScript(path, code as string, JSON.parse(map as string) as SourceMapPayload);
}

function buildError(path: string, messages: readonly Message[], cause: unknown): LoadError {
  const text = messages.map(({ location, text: problem }) => {
    const place =
      location === null
        ? basename(path)
        : `${shortPath(resolve(dirname(path), location.file))}:${location.line}:${location.column + 1}`;
    const { name, module } = (MISSING_EXPORT.exec(problem) ?? UNDEFINED_IMPORT.exec(problem))?.groups ?? {};
    const named = `'${name}' of '${module}' is not supported by the built-in engine`;
    return `${place}: ${name === undefined ? problem : named}`;
  });
  const unsupported = messages.some(
    (message) => message.text.includes('not supported') || message.text.includes('"k6:'),
  );
  return new LoadError(
    unsupported ? 'LOAD_SCRIPT_UNSUPPORTED' : 'LOAD_SCRIPT_BUILD_FAILED',
    text.join('\n') || String(cause),
    { cause },
  );
}

/** The language's own globals. Node's are accessors or hidden, so what a script sets never reaches the process. */
const LANGUAGE_GLOBALS = Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(
  ([name, descriptor]) => 'value' in descriptor && name !== 'globalThis' && !HIDDEN_GLOBALS.includes(name),
);

/** What a script sees as `globalThis`: the same names as without it, and room for its own. */
export function globalObject(globals: ScriptGlobals): object {
  return Object.assign(Object.defineProperties({}, Object.fromEntries(LANGUAGE_GLOBALS)), globals);
}

/** Relative to the working directory when the file is below it. */
function shortPath(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
