import { buildResult } from './build-result.js';
import { readRecording, readResult } from './read-run.js';
import type { RunResult } from './result-schema.js';

/**
 * A result of which only the instruments can be read: for whoever has to find the bottleneck. What was concluded is made
 * again from the recording when the run is unsealed.
 */
export function sealResult(result: RunResult): RunResult {
  const { teaching: _teaching, expected: _expected, ...scenario } = result.scenario;
  return {
    ...result,
    scenario,
    // The published shares of 429 alone would tell tests apart.
    published: null,
    expected: null,
    diagnosis: { findings: [], rules: [] },
    sealed: true,
  };
}

/** A run's result, of a sealed one with everything that its folder does not show: to judge answers by, not to show. */
export function readConcluded(folder: string): RunResult {
  const result = readResult(folder);
  return result.sealed ? buildResult(readRecording(folder)) : result;
}
