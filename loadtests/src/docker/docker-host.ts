import { docker } from './docker-cli.js';

/** What about a Docker engine decides how a container is started. */
export interface DockerHost {
  /** Containers run in a virtual machine, whose network is not this machine's. */
  readonly desktop: boolean;
  /** The engine runs as this user: its root is this user outside. */
  readonly rootless: boolean;
}

export type DockerHostAnswer = { readonly host: DockerHost } | { readonly problem: string };

const TIMEOUT_MS = 20_000;

/** Asks the engine; `problem` says in one line what is missing. */
export async function askDockerHost(): Promise<DockerHostAnswer> {
  const { ok, stdout, problem, missing } = await docker(['info', '--format', '{{json .}}'], TIMEOUT_MS);
  if (missing) return { problem: 'docker is not on the PATH' };
  if (!ok) return { problem: `Docker does not answer: ${problem}` };
  return readDockerInfo(stdout);
}

/** Reads the answer to `docker info --format '{{json .}}'`. */
export function readDockerInfo(text: string): DockerHostAnswer {
  let info: {
    OSType?: string;
    OperatingSystem?: string;
    SecurityOptions?: string[];
    ServerErrors?: string[];
  };
  try {
    info = JSON.parse(text);
  } catch {
    return { problem: `'docker info' gave no JSON: ${text.trim().slice(0, 200)}` };
  }
  // The client answers with success, and without a server's part, when the engine is down.
  const [error] = info.ServerErrors ?? [];
  if (error !== undefined || !info.OSType) {
    return { problem: `Docker does not answer: ${(error ?? 'is it running?').split('\n')[0]}` };
  }
  if (info.OSType !== 'linux') {
    return { problem: `Docker runs ${info.OSType} containers here; k6 needs Linux containers` };
  }
  return {
    host: {
      desktop: info.OperatingSystem === 'Docker Desktop',
      rootless: (info.SecurityOptions ?? []).some((option) => option.includes('rootless')),
    },
  };
}
