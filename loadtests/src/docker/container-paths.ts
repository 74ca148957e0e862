import { existsSync } from 'node:fs';
import path from 'node:path';

/** A folder of this machine and where a container finds it. */
export interface Mount {
  readonly source: string;
  readonly target: string;
  readonly readonly: boolean;
}

const SCRIPTS = '/scripts';
const OUT = '/out';
const ROOT_MARKS = ['package.json', '.git'];
/** Names of this machine that mean the container itself inside of one. */
const LOOPBACK = /\b(https?:\/\/)(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\])(?=[:/?#]|$)/gi;

/**
 * What a run needs of this machine: the script's project, read-only, since scripts import and open what lies beside them, and
 * the folder for results. A project is the nearest folder above the script that has a package.json or .git; where there is
 * none, it is the script's own folder.
 */
export function mountsFor(script: string, outDir: string): { scripts: Mount; out: Mount } {
  return {
    scripts: { source: projectOf(path.resolve(script)), target: SCRIPTS, readonly: true },
    out: { source: path.resolve(outDir), target: OUT, readonly: false },
  };
}

function projectOf(script: string): string {
  const own = path.dirname(script);
  for (let folder = own; ; folder = path.dirname(folder)) {
    if (ROOT_MARKS.some((mark) => existsSync(path.join(folder, mark)))) return folder;
    if (path.dirname(folder) === folder) return own;
  }
}

/** The container's path of a file of this machine; undefined where no mount holds it. The innermost mount counts. */
export function containerPath(file: string, mounts: readonly Mount[]): string | undefined {
  const holding = mounts
    .map((mount) => ({ mount, rest: path.relative(mount.source, file) }))
    .filter(({ rest }) => !(rest === '..' || rest.startsWith(`..${path.sep}`) || path.isAbsolute(rest)))
    .sort((a, b) => a.rest.length - b.rest.length)[0];
  if (holding === undefined) return undefined;
  return path.posix.join(holding.mount.target, ...holding.rest.split(path.sep));
}

/** A variable of the script as the container needs it: paths that are mounted, and this machine's loopback addresses. */
export function containerValue(
  value: string,
  { mounts, hostName }: { mounts: readonly Mount[]; hostName: string | undefined },
): string {
  if (path.isAbsolute(value)) return containerPath(value, mounts) ?? value;
  return hostName === undefined ? value : value.replace(LOOPBACK, `$1${hostName}`);
}

/** `--mount`, whose value is a line of comma-separated values. */
export function mountArguments({ source, target, readonly }: Mount): string[] {
  const quoted = (field: string) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  const fields = ['type=bind', `source=${source}`, `target=${target}`, ...(readonly ? ['readonly'] : [])];
  return ['--mount', fields.map(quoted).join(',')];
}
