import { ownerMonthQuery } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../libs/service-kit/src/errors.js';
import { parseQuery } from '../../../libs/service-kit/src/http/query.js';

function refusal(url: string) {
  try {
    parseQuery(url, ownerMonthQuery);
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
  throw new Error(`${url} was accepted`);
}
const parametersOf = (url: string) =>
  (refusal(url).extensions.parameters as { parameter: string }[]).map((p) => p.parameter).sort();

describe('parseQuery', () => {
  it('reads and types the parameters in any order', () => {
    expect(parseQuery('/x?month=7&ownerId=o000042&year=2019', ownerMonthQuery)).toEqual({
      ownerId: 'o000042',
      year: 2019,
      month: 7,
    });
  });

  it('decodes', () => {
    expect(parseQuery('/x?ownerId=o%30%300042&year=2019&month=07', ownerMonthQuery).ownerId).toBe('o000042');
  });

  it('names every bad, missing, unknown and repeated parameter at once', () => {
    const url = '/x?ownerId=42&month=1&month=2&format=xml&__proto__=1';
    expect(new Set(parametersOf(url))).toEqual(new Set(['ownerId', 'month', 'year', 'format', '__proto__']));
    const { message, row } = refusal(url);
    expect(row).toMatchObject({ code: 'BAD_QUERY', status: 400 });
    expect(message).toContain('ownerId must be the letter o and six digits');
    expect(message).toContain('year is required');
    expect(message).toContain('"format" is not a parameter, allowed: ownerId, year, month');
    expect(message).toContain('month is given 2 times');
  });

  it.each(['0', '13', '1.5', '-1', 'July', ''])('refuses month=%s', (month) => {
    expect(parametersOf(`/x?ownerId=o000042&year=2019&month=${month}`)).toEqual(['month']);
  });

  it('refuses a URL without a query', () => {
    expect(parametersOf('/x')).toEqual(['month', 'ownerId', 'year']);
  });
});
