/** Every exit code of the command line: the one place. docs/reference/exit-codes.md shows the same table, and a test compares the two. */
export const EXIT_CODES = {
  OK: { code: 0, meaning: 'Done; with --check: every expected range was met.' },
  EXPECTATION_MISSED: {
    code: 1,
    meaning:
      'A measure missed its expected range (--check), a threshold was crossed (load), the gate failed (ci), or engines differ (--compare-engines).',
  },
  USAGE: { code: 2, meaning: 'Wrong command line: unknown command, flag, scenario, run or value.' },
  STACK_FAILED: {
    code: 3,
    meaning: 'The stack or the target (ci) did not start, is not running, or could not take a setting.',
  },
  RUN_BROKEN: { code: 4, meaning: 'A run broke off: a process died or the load engine failed.' },
  RUN_INVALID: {
    code: 5,
    meaning: 'The machine was too busy to measure; the figures say nothing about the system.',
  },
  UNHEALTHY: { code: 6, meaning: 'doctor found something that keeps the lab from working.' },
  ANSWER_WRONG: {
    code: 7,
    meaning: 'The answer to an exercise or a mystery is not right yet (check, mystery).',
  },
  INTERNAL: {
    code: 70,
    meaning: 'A fault in the lab itself; please report it with the stack trace printed.',
  },
  INTERRUPTED: {
    code: 130,
    meaning: 'Interrupted by Ctrl-C or SIGTERM; what was measured so far is kept and marked.',
  },
} as const;

export type ExitName = keyof typeof EXIT_CODES;

/** The table as Markdown rows, for the reference page. */
export function exitCodeRows(): string[] {
  return Object.values(EXIT_CODES).map(({ code, meaning }) => `| ${code} | ${meaning} |`);
}
