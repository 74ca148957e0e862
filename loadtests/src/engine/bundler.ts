import { type BuildOptions, type BuildResult, build, stop } from 'esbuild';

let running = 0;

/** Bundles in memory. The bundler is a process of its own; it is ended with the last bundle, not kept for the whole load. */
export async function bundle(options: BuildOptions): Promise<BuildResult<{ write: false }>> {
  running += 1;
  try {
    return await build({ ...options, write: false });
  } finally {
    running -= 1;
    if (running === 0) await stop();
  }
}
