export type ProgramName =
  | 'gateway'
  | 'delivery'
  | 'package'
  | 'drone-utilization'
  | 'cosmos-emulator'
  | 'app-insights-emulator'
  | 'seed';

/** Bundles one program into `<outDir>/<name>` and returns that folder. */
export function bundleProgram(name: ProgramName, outDir: string): Promise<string>;
