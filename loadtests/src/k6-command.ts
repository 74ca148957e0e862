import type { FoundEngine } from './engine-definition.js';

const K6_MINIMUM_MAJOR = 1;

/** k6 reports usage and looks for extensions on the network unless told not to. */
export const K6_OFFLINE = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' };

/** k6 hands samples on every 200 ms and writes them in blocks. */
export const K6_POINTS_DELAY_MS = 1_500;

/** The command line of a run, which every engine takes; paths as the engine sees them. */
export function runArguments(run: {
  script: string;
  points: string;
  summaryExport: string;
  env: Readonly<Record<string, string>>;
}): string[] {
  const variables = Object.entries(run.env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
  const outputs = ['--out', `json=${run.points}`, '--summary-export', run.summaryExport];
  return ['run', '--quiet', '--no-color', ...outputs, ...variables, run.script];
}

/** Judges what `k6 version` printed. */
export function judgeVersion(printed: string): FoundEngine {
  const version = /v?(\d+\.\d+\.\d+)/.exec(printed)?.[1];
  if (version === undefined) {
    return { available: false, reason: `'k6 version' printed no version: ${printed.trim()}` };
  }
  if (Number(version.split('.')[0]) >= K6_MINIMUM_MAJOR) return { available: true, version };
  return {
    available: false,
    version,
    reason: `k6 ${version} is too old; version ${K6_MINIMUM_MAJOR}.0 or later is needed`,
  };
}
