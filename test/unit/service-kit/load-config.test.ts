import { describe, expect, it } from 'vitest';
import { parseCommandLine } from '../../../libs/service-kit/src/config/command-line.js';
import {
  ConfigError,
  loadConfig,
  printableConfig,
} from '../../../libs/service-kit/src/config/load-config.js';
import { SERVICE_SETTINGS } from '../../../libs/service-kit/src/config/service-settings.js';
import { choice, integer, optional, origin, text } from '../../../libs/service-kit/src/config/setting.js';

const settings = {
  count: integer('COUNT', { min: 1, max: 10 }),
  retries: integer('RETRIES', { min: 0, max: 5, default: 2 }),
  mode: choice('MODE', ['serial', 'parallel'], 'serial'),
  url: origin('URL'),
  secret: optional(text('SECRET', { pattern: /^[a-z]+$/, allowed: 'small letters', secret: true })),
};
const good = { COUNT: '3', URL: 'http://127.0.0.1:8080' };

function issuesOf(env: Record<string, string>) {
  try {
    loadConfig(settings, { env });
  } catch (error) {
    if (error instanceof ConfigError) return error.issues;
    throw error;
  }
  return [];
}

describe('loadConfig', () => {
  it('types values, applies defaults, and freezes the result', () => {
    const config = loadConfig(settings, { env: good });
    expect(config).toEqual({ count: 3, retries: 2, mode: 'serial', url: 'http://127.0.0.1:8080' });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it('reports every bad variable at once, with its value and what is allowed', () => {
    const issues = issuesOf({
      COUNT: '11',
      RETRIES: 'many',
      MODE: 'Serial',
      URL: 'ftp://x',
      SECRET: 'S3CRET',
    });
    expect(issues.map((i) => i.variable)).toEqual(['COUNT', 'RETRIES', 'MODE', 'URL', 'SECRET']);
    expect(issues[0]).toEqual({
      variable: 'COUNT',
      problem: '"11" is not allowed',
      allowed: 'a whole number from 1 to 10',
    });
    expect(issues[2]?.allowed).toBe('serial or parallel');
  });

  it('says that a variable is missing, whether unset or empty', () => {
    expect(issuesOf({ URL: 'http://a' })[0]?.problem).toBe('is missing');
    expect(issuesOf({ ...good, COUNT: '' })[0]?.problem).toBe('is missing');
    expect(loadConfig(settings, { env: { ...good, RETRIES: '' } }).retries).toBe(2);
  });

  it.each(['-1', '1.5', ' 3', '0x3', '1e1', '99999999999999999999'])('refuses the number %s', (COUNT) => {
    expect(issuesOf({ ...good, COUNT })).toHaveLength(1);
  });

  it.each(['127.0.0.1:80', 'http://a/path', 'http://a?x=1', 'http://user:pw@a', 'file:///x'])(
    'refuses the address %s',
    (URL) => {
      expect(issuesOf({ ...good, URL }).map((i) => i.variable)).toEqual(['URL']);
    },
  );

  it('shows no secret, neither in an issue nor in the printed configuration', () => {
    const issues = issuesOf({ ...good, SECRET: 'S3CRET' });
    expect(JSON.stringify(issues)).not.toContain('S3CRET');
    const config = loadConfig(settings, { env: { ...good, SECRET: 'hush' } });
    expect(printableConfig(settings, config)).toEqual({
      COUNT: 3,
      RETRIES: 2,
      MODE: 'serial',
      URL: 'http://127.0.0.1:8080',
      SECRET: '***',
    });
  });

  it('checks rules over several variables once each variable is valid', () => {
    const rule = ({ count, retries }: { count: number; retries: number }) =>
      retries > count
        ? [{ variable: 'RETRIES', problem: `is more than COUNT`, allowed: 'at most COUNT' }]
        : [];
    const load = (env: Record<string, string>) => () => loadConfig(settings, { env, rules: [rule] });
    expect(load({ ...good, COUNT: '1', RETRIES: '2' })).toThrow(
      'RETRIES: is more than COUNT; allowed: at most COUNT',
    );
    expect(load({ ...good, COUNT: 'x', RETRIES: '2' })).toThrow(/^COUNT: "x" is not allowed; [^\n]*$/);
  });
});

describe('the settings of every service', () => {
  it.each([
    ['none', null],
    ['0.25', 0.25],
    ['2', 2],
  ])('takes CPU_LIMIT=%s', (value, cores) => {
    expect(loadConfig(SERVICE_SETTINGS, { env: { CPU_LIMIT: value } }).cpuLimitCores).toBe(cores);
  });

  it.each(['0', '-1', '0.001', '250m', 'half', '1000'])('refuses CPU_LIMIT=%s', (value) => {
    expect(() => loadConfig(SERVICE_SETTINGS, { env: { CPU_LIMIT: value } })).toThrow(
      /CPU_LIMIT: .* allowed: cores as a decimal/,
    );
  });

  it('listens on loopback unless told otherwise', () => {
    expect(loadConfig(SERVICE_SETTINGS, { env: {} })).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      internalPort: 0,
    });
  });
});

describe('parseCommandLine', () => {
  it('knows its flags', () => {
    expect(parseCommandLine([])).toEqual({ printConfig: false, help: false });
    expect(parseCommandLine(['--print-config'])).toEqual({ printConfig: true, help: false });
  });

  it.each([['--port=80'], ['--prnt-config'], ['-x'], ['serve']])('refuses %s by name', (arg) => {
    expect(() => parseCommandLine(['--print-config', arg])).toThrow(`${arg} is not allowed`);
  });
});
