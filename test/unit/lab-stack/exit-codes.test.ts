import { readFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { describe, expect, it } from 'vitest';
import { exitNameOf, InterruptedError, reportError, UsageError } from '../../../lab/src/cli/errors.js';
import { EXIT_CODES, exitCodeRows } from '../../../lab/src/cli/exit-codes.js';
import { openTerminal } from '../../../lab/src/cli/terminal.js';
import { ResultError } from '../../../lab/src/results/index.js';
import { ScenarioError } from '../../../lab/src/scenarios/index.js';
import { StackError } from '../../../lab/src/stack/errors.js';

describe('exit codes', () => {
  it('are the ones documented', () => {
    const page = readFileSync(new URL('../../../docs/reference/exit-codes.md', import.meta.url), 'utf8');
    const rows = page.split('\n').filter((line) => /^\| +\d+ /.test(line));
    const normalized = rows.map((row) => row.replace(/\s+/g, ' '));
    expect(normalized).toEqual(exitCodeRows());
  });

  it('are all different', () => {
    const codes = Object.values(EXIT_CODES).map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each([
    [new CommanderError(0, 'commander.helpDisplayed', ''), 'OK'],
    [new CommanderError(1, 'commander.unknownOption', ''), 'USAGE'],
    [new UsageError('wrong'), 'USAGE'],
    [new ScenarioError('SCENARIO_UNKNOWN', 'unknown'), 'USAGE'],
    [new ResultError('RUN_UNKNOWN', 'unknown'), 'USAGE'],
    [new StackError('KEY_MISSING', 'no key'), 'USAGE'],
    [new StackError('START_FAILED', 'no start'), 'STACK_FAILED'],
    [new InterruptedError(), 'INTERRUPTED'],
    [new TypeError('a fault'), 'INTERNAL'],
  ] as const)('%s ends with %s', (error, name) => {
    expect(exitNameOf(error)).toBe(name);
  });
});

/** A terminal that keeps what it was told. */
function recorded(options: { tty?: boolean; env?: NodeJS.ProcessEnv; columns?: number } = {}) {
  const written = { stdout: '', stderr: '' };
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text;
    },
    isTTY: options.tty ?? false,
    columns: options.columns,
  });
  const terminal = openTerminal({
    stdout: output('stdout'),
    stderr: output('stderr'),
    env: options.env ?? {},
  });
  return { terminal, written };
}

describe('reportError', () => {
  it('prints the message and the last lines of a dead process, on stderr only', () => {
    const { terminal, written } = recorded();
    const error = new StackError('PROCESS_DIED', 'delivery was killed by SIGKILL', { lastLines: ['last'] });
    expect(reportError(error, terminal)).toBe(3);
    expect(written).toEqual({ stdout: '', stderr: 'error: delivery was killed by SIGKILL\n  | last\n' });
  });

  it('prints the stack trace of a fault of its own', () => {
    const { terminal, written } = recorded();
    expect(reportError(new TypeError('a fault'), terminal)).toBe(70);
    expect(written.stderr).toContain('exit-codes.test.ts');
  });
});

describe('terminal', () => {
  const escapes = String.fromCharCode(27);

  it('colours and redraws on a terminal only', () => {
    const { terminal, written } = recorded({ tty: true });
    expect(terminal.paint('red', 'x')).toContain(escapes);
    terminal.redraw('live');
    terminal.progress('done');
    expect(written.stderr).toMatch(/live.*done\n$/s);

    const plain = recorded();
    expect(plain.terminal.paint('red', 'x')).toBe('x');
    plain.terminal.redraw('live');
    expect(plain.written.stderr).toBe('');
  });

  it('respects NO_COLOR, CI and TERM=dumb', () => {
    expect(recorded({ tty: true, env: { NO_COLOR: '1' } }).terminal.paint('red', 'x')).toBe('x');
    expect(recorded({ tty: true, env: { NO_COLOR: '1' } }).terminal.color).toBe(false);
    expect(recorded({ tty: true, env: { NO_COLOR: '' } }).terminal.color).toBe(true);
    expect(recorded({ tty: true, env: { CI: 'true' } }).terminal.live).toBe(false);
    expect(recorded({ tty: true, env: { TERM: 'dumb' } }).terminal.live).toBe(false);
  });

  it('never draws a line wider than the terminal, as it could not be erased', () => {
    const { terminal, written } = recorded({ tty: true, columns: 20 });
    terminal.redraw('x'.repeat(50));
    expect(written.stderr.match(/x/g)).toHaveLength(19);
  });
});
