import { describe, expect, it } from 'vitest';

const KNOWN = ['query-cpu', 'gateway', 'kql'];

interface Arguments {
  names: string[];
  list: boolean;
  peers: boolean;
  json: boolean;
  help: boolean;
}

const { parseArguments, UsageError } = (await import(
  new URL('../../../bench/arguments.js', import.meta.url).href
)) as {
  parseArguments(argv: readonly string[], known: readonly string[]): Arguments;
  UsageError: new () => Error;
};

describe('arguments of the benchmarks', () => {
  it('run everything when nothing is named', () => {
    expect(parseArguments([], KNOWN)).toEqual({
      names: KNOWN,
      list: false,
      peers: false,
      json: false,
      help: false,
    });
  });

  it('run what is named, once each and in the usual order', () => {
    const { names, json } = parseArguments(['kql', '--json', 'query-cpu', 'kql'], KNOWN);
    expect(names).toEqual(['query-cpu', 'kql']);
    expect(json).toBe(true);
  });

  it('refuse an unknown name and say which exist', () => {
    expect(() => parseArguments(['gateway', 'gatway', 'sql'], KNOWN)).toThrow(
      'unknown: gatway, sql; the benchmarks are query-cpu, gateway, kql',
    );
  });

  it.each([['--fast'], ['--json=yes']])('refuse %s', (flag) => {
    expect(() => parseArguments([flag], KNOWN)).toThrow(UsageError);
  });
});
