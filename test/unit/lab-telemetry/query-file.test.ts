import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MEASURE_NAMES } from '../../../lab/src/analysis/measure-table.js';
import { queryBehind } from '../../../lab/src/diagnosis/evidence-queries.js';
import { KNOB_TABLE } from '../../../lab/src/scenarios/index.js';
import { queriesPage } from '../../../lab/src/telemetry/queries-page.js';
import { parseQueryFile, setParameters } from '../../../lab/src/telemetry/query-file.js';
import { loadQueries, resolveQuery } from '../../../lab/src/telemetry/query-library.js';

const FILE = `// title: A title
// question: What is it?
// look for: This,
//   and that.
// parameter: limit = ruPerSecond
let limit = 900;
requests | where duration > limit
`;

describe('a query file', () => {
  it('says in its leading comments what it is for', () => {
    expect(parseQueryFile('a', FILE)).toEqual({
      ...{ name: 'a', title: 'A title', question: 'What is it?', lookFor: 'This, and that.', text: FILE },
      parameters: [{ name: 'limit', knob: 'ruPerSecond' }],
    });
  });

  it.each([
    [
      'a title is missing',
      FILE.replace('// title: A title\n', ''),
      /title: \.\.\." must be there once, not 0 times/,
    ],
    ['a field is there twice', `// title: B\n${FILE}`, /once, not 2 times/],
    ['a field is unknown', `// author: me\n${FILE}`, /"\/\/ author: me" is none of/],
    ['a parameter is malformed', FILE.replace('limit = ruPerSecond', 'limit'), /must be name = knob/],
    ['a parameter has no let', FILE.replace('let limit = 900;\n', ''), /limit has no let statement/],
    ['there is nothing', '', /title.*question.*look for/],
  ])('is refused when %s', (_, text, message) => {
    expect(() => parseQueryFile('a', text)).toThrow(message);
  });

  it('names everything that is wrong at once', () => {
    expect(() => parseQueryFile('a', '// author: me\nrequests')).toThrow(
      /author.*title.*question.*look for/s,
    );
  });
});

describe('parameters', () => {
  it.each(['2500', '-1.5', '10s', 'true', "'text'", '"text"', 'datetime(2026-01-02T03:04:05Z)'])(
    'can be %s',
    (value) => {
      expect(setParameters(FILE, { limit: value })).toContain(`let limit = ${value};\n`);
    },
  );

  it.each(['1; requests', "'a' | take 1", 'requests', '', "'it''s'"])('can not be %s', (value) => {
    expect(() => setParameters(FILE, { limit: value })).toThrow(/limit can not be/);
  });

  it('must be there', () => {
    expect(() => setParameters(FILE, { other: '1' })).toThrow('the query has no line "let other = ...;"');
    expect(() => setParameters(FILE, { 'a.*': '1' })).toThrow(/has no line/);
  });

  it('leave the rest of the text as it was, replacement patterns included', () => {
    expect(setParameters(FILE, { limit: "'$& $1'" })).toBe(FILE.replace('900', () => "'$& $1'"));
  });
});

describe('the library', () => {
  it('is on its reference page', () => {
    const page = readFileSync(new URL('../../../docs/reference/queries.md', import.meta.url), 'utf8');
    expect(page).toBe(`${queriesPage(loadQueries()).trimEnd()}\n`);
  });

  it('has parameters for knobs that exist', () => {
    const knobs = loadQueries().flatMap((query) => query.parameters.map(({ knob }) => knob));
    expect(knobs.length).toBeGreaterThan(0);
    for (const knob of knobs) expect(Object.keys(KNOB_TABLE)).toContain(knob);
  });

  it('has every query that evidence names', () => {
    const names = loadQueries().map((query) => query.name);
    const behind = MEASURE_NAMES.map((measure) => queryBehind([measure]));
    for (const name of behind) if (name !== null) expect(names).toContain(name);
    // What only the load generator knows.
    expect(
      MEASURE_NAMES.filter((_, at) => behind[at] === null).every((name) => name.startsWith('load.')),
    ).toBe(true);
  });

  it('is found by name, with or without the ending; anything else is a text or a file', () => {
    expect(resolveQuery('application-map').name).toBe('application-map');
    expect(resolveQuery('application-map.kql').name).toBe('application-map');
    expect(resolveQuery('requests | count')).toEqual({
      name: null,
      text: 'requests | count',
      parameters: [],
    });
    expect(resolveQuery('requests')).toMatchObject({ name: null });
    expect(() => resolveQuery('aplication-map')).toThrow(
      /no query "aplication-map"; there are application-map, /,
    );
    expect(() => resolveQuery('none/of-these.kql')).toThrow(/none\/of-these\.kql: ENOENT/);
  });
});
