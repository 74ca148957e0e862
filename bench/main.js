import os from 'node:os';
import { HELP, parseArguments, UsageError } from './arguments.js';
import { gateway } from './gateway.js';
import { ingest } from './ingest.js';
import { kql } from './kql.js';
import { loadEngine } from './load-engine.js';
import { describeMachine, machineText } from './machine.js';
import { queryCpu } from './query-cpu.js';
import { queryThroughput } from './query-throughput.js';
import { receiverFaults } from './receiver-faults.js';
import { reportText } from './report.js';
import { telemetry } from './telemetry.js';

/** @import { Benchmark, BenchmarkResult } from './result.js' */

const BENCHMARKS = [queryCpu, queryThroughput, gateway, loadEngine, kql, ingest, telemetry, receiverFaults];
const EXIT_FAILED = 1;
const EXIT_USAGE = 2;

/** A missed goal is a finding, not a failure; a benchmark that could not be measured is one. */
async function main() {
  const args = parseArguments(
    process.argv.slice(2),
    BENCHMARKS.map(({ name }) => name),
  );
  if (args.help) return print(HELP);
  if (args.list) return print(BENCHMARKS.map(({ name, about }) => `${name.padEnd(18)}${about}\n`).join(''));
  const progress = (/** @type {string} */ text) => void process.stderr.write(`... ${text}\n`);
  const machine = describeMachine();
  if (!args.json) print(`${machineText(machine)}\n`);
  const results = [];
  for (const benchmark of BENCHMARKS.filter(({ name }) => args.names.includes(name))) {
    progress(benchmark.name);
    const result = await runOne(benchmark, { peers: args.peers, progress });
    if (result === undefined) process.exitCode = EXIT_FAILED;
    else results.push(result);
    if (result !== undefined && !args.json) print(`${reportText(result)}\n`);
  }
  if (args.json) print(`${JSON.stringify({ machine, results }, null, 2)}\n`);
}

/** @param {Benchmark} benchmark @param {import('./result.js').BenchmarkContext} context */
async function runOne({ name, about, run }, context) {
  const [loadBefore = 0] = os.loadavg();
  const startedMs = performance.now();
  try {
    const result = await run(context);
    const [loadAfter = 0] = os.loadavg();
    return { name, about, seconds: (performance.now() - startedMs) / 1000, loadBefore, loadAfter, result };
  } catch (error) {
    process.stderr.write(`${name} could not be measured: ${/** @type {Error} */ (error).stack}\n`);
    return undefined;
  }
}

/** @param {string} text */
function print(text) {
  process.stdout.write(text);
}

try {
  await main();
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n\n${HELP}`);
  process.exitCode = EXIT_USAGE;
}
