import { parseArgs } from 'node:util';

const FLAGS = {
  'print-config': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Services take their configuration from the environment; the command line only asks questions.
 * @throws {UsageError} naming the unknown flag or argument
 */
export function parseCommandLine(args: readonly string[]): { printConfig: boolean; help: boolean } {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false });
    return { printConfig: values['print-config'], help: values.help };
  } catch (error) {
    const unknown =
      args.find((arg) => !Object.keys(FLAGS).includes(arg.replace(/^--/, ''))) ?? args.join(' ');
    throw new UsageError(
      `${unknown} is not allowed on the command line; allowed: --print-config, --help. Everything else is set by environment variables.`,
      { cause: error },
    );
  }
}
