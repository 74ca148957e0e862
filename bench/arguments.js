import { parseArgs } from 'node:util';

/** Wrong use of the command line; its message says what is allowed. */
export class UsageError extends Error {
  name = 'UsageError';
}

export const HELP = `npm run bench -- [NAME...] [--peers] [--json]

Runs all benchmarks, or those named. Ratios come from interleaved runs; docs/reference/benchmarks.md says how to read them.

  --list    the names, one a line
  --peers   also measure other projects' programs; installs them from npm into a temporary folder
  --json    the result as JSON on standard output; progress goes to standard error
  --help    this text
`;

const OPTIONS = /** @type {const} */ ({
  list: { type: 'boolean', default: false },
  peers: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
});

/**
 * @param {readonly string[]} argv without the program's name
 * @param {readonly string[]} known names of all benchmarks, in the order in which they run
 * @returns {{ names: string[], list: boolean, peers: boolean, json: boolean, help: boolean }}
 * @throws {UsageError}
 */
export function parseArguments(argv, known) {
  const { values, positionals } = parse(argv);
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`unknown: ${unknown.join(', ')}; the benchmarks are ${known.join(', ')}`);
  }
  const names = positionals.length === 0 ? [...known] : known.filter((name) => positionals.includes(name));
  return { names, ...values };
}

/** @param {readonly string[]} argv */
function parse(argv) {
  try {
    return parseArgs({ args: [...argv], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message, { cause: error });
  }
}
