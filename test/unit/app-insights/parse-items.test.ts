import { describe, expect, it } from 'vitest';
import {
  logLine,
  parseItems,
  UnreadableLine,
} from '../../../emulators/app-insights/src/ingestion/parse-items.js';
import { ingestionLimits } from '../../../emulators/app-insights/src/limits.js';

const limits = ingestionLimits.parse({ maxItemsPerRequest: 3 });
const parse = (text: string) => parseItems(Buffer.from(text), limits);

describe('parseItems', () => {
  it('takes an array, one envelope, or one envelope per line', () => {
    expect(parse('[{"a":1},{"a":2}]')).toEqual([{ a: 1 }, { a: 2 }]);
    expect(parse('{"a":1}')).toEqual([{ a: 1 }]);
    expect(parse('{"a":1}\n{"a":2}\r\n\n{"a":3}\n')).toEqual([{ a: 1 }, { a: 2 }, { a: 3 }]);
    expect(parse(' [\n{"a":1}\n]\n')).toEqual([{ a: 1 }]);
    expect(parse('[]')).toEqual([]);
    expect(parse('[{"a":"Grüße, 東京 \\u00e9"}]')).toEqual([{ a: 'Grüße, 東京 é' }]);
  });

  it('keeps a bad line apart from the good ones', () => {
    const items = parse('{"a":1}\n{oops\n{"a":3}');
    expect(items).toEqual([{ a: 1 }, expect.any(UnreadableLine), { a: 3 }]);
  });

  it.each([
    ['', 'EMPTY_BODY', 400],
    ['   \n ', 'EMPTY_BODY', 400],
    ['nonsense', 'BAD_JSON', 400],
    ['nonsense\nmore', 'BAD_JSON', 400],
    ['[{"a":1}', 'BAD_JSON', 400],
    ['[1,2,3,4]', 'TOO_MANY_ITEMS', 413],
    ['1\n2\n3\n4', 'TOO_MANY_ITEMS', 413],
    ['['.repeat(100_000), 'TOO_NESTED', 400],
    [`[${'{"a":'.repeat(100)}1${'}'.repeat(100)}]`, 'TOO_NESTED', 400],
  ])('refuses %s', (text, code, status) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ code, status }));
  });
});

describe('logLine', () => {
  const logged = (text: string) => logLine(Buffer.from(text), parse(text)).toString();

  it('is the body itself where that is one line', () => {
    const body = Buffer.from('[{"a":"x\\ny"}]');
    expect(logLine(body, parse(body.toString()))).toBe(body);
  });

  it('is one line of JSON whatever the body was', () => {
    expect(logged('[\n  {"a":"x\\ny"},\r\n {"b":2}]')).toBe('[   {"a":"x\\ny"},  {"b":2}]');
    expect(JSON.parse(logged('{\n"a":1}'))).toEqual([{ a: 1 }]);
    expect(JSON.parse(logged('{"a":1}\n{oops\n{"a":2}'))).toEqual([{ a: 1 }, { a: 2 }]);
    expect(logged('{"a":1}\n{oops\n{"a":2}')).not.toContain('\n');
  });
});
