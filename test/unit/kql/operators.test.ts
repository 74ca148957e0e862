import { describe, expect, test } from 'vitest';
import { at, query, rows, shape, value } from './fixture.js';

describe('where, project, extend', () => {
  test('a text column compares with true, as Application Insights queries do', () => {
    expect(rows('requests | where success == true | project id')).toEqual([['r1'], ['r2'], ['r4'], ['r5']]);
    expect(rows('requests | where success == false | project id')).toEqual([['r3']]);
  });

  test('null drops out of conditions', () => {
    expect(rows('requests | where duration > 25 | project id')).toEqual([['r3'], ['r5'], ['r6']]);
    expect(rows('requests | where not(duration > 25) | project id')).toEqual([['r1'], ['r2']]);
    expect(rows('requests | where duration != 10 | count')).toEqual([[5]]);
  });

  test('project names and orders columns as Kusto does', () => {
    expect(
      shape('requests | project a = name, duration, customDimensions.step, duration * 2, tostring(name)'),
    ).toBe('a:string, duration:real, customDimensions_step:dynamic, Column1:real, name:string');
  });

  test('extend replaces in place and appends the rest, each seeing the input only', () => {
    const text =
      'requests | project id, duration | extend duration = duration + 1, twice = duration * 2 | take 2';
    expect(shape(text)).toBe('id:string, duration:real, twice:real');
    expect(rows(text)).toEqual([
      ['r1', 11, 20],
      ['r2', 21, 40],
    ]);
  });

  test('extend of an unnamed bin replaces the column it is named after', () => {
    expect(rows('requests | project timestamp | extend bin(timestamp, 1h) | distinct timestamp')).toEqual([
      ['2026-01-01T00:00:00Z'],
    ]);
  });

  test('computed columns can build on each other', () => {
    expect(
      rows(
        'range x from 1 to 3 step 1 | extend y = x * x | extend z = y + x | where z > 2 | project x, y, z',
      ),
    ).toEqual([
      [2, 4, 6],
      [3, 9, 12],
    ]);
  });

  test('project-away, -keep, -rename and -reorder', () => {
    expect(shape('requests | project-away c*, i*, operation_Id, success')).toBe(
      'timestamp:datetime, name:string, duration:real',
    );
    expect(shape('requests | project-keep id, d*')).toBe('id:string, duration:real');
    expect(shape('requests | project id, name | project-rename operation = name')).toBe(
      'id:string, operation:string',
    );
    expect(rows('requests | project id, name | project-rename operation = name | take 1')).toEqual([
      ['r1', 'GET a'],
    ]);
    expect(rows('requests | project id, name, duration | project-reorder duration, name | take 1')).toEqual([
      [10, 'GET a', 'r1'],
    ]);
  });
});

describe('take, top, sort, distinct, count', () => {
  test('take', () => {
    expect(rows('requests | take 2 | project id')).toEqual([['r1'], ['r2']]);
    expect(rows('requests | limit 0')).toEqual([]);
    expect(rows('requests | take 100 | count')).toEqual([[6]]);
  });

  test('sorting is descending by default, with nulls last', () => {
    expect(rows('requests | order by duration | project id').flat()).toEqual([
      'r6',
      'r5',
      'r3',
      'r2',
      'r1',
      'r4',
    ]);
  });

  test('ascending puts nulls first, and both can be changed', () => {
    expect(rows('requests | sort by duration asc | project id').flat()).toEqual([
      'r4',
      'r1',
      'r2',
      'r3',
      'r5',
      'r6',
    ]);
    expect(rows('requests | sort by duration asc nulls last | project id').flat().at(-1)).toBe('r4');
    expect(rows('requests | sort by duration desc nulls first | project id').flat().at(0)).toBe('r4');
  });

  test('null, NaN and infinities take the documented places', () => {
    const data =
      'datatable(x:real)[5.0, real(null), real(-inf), real(nan), 0.0, real(+inf), -5.0] | sort by x';
    expect(rows(`${data} asc`).flat()).toEqual([null, 'NaN', '-Infinity', -5, 0, 5, 'Infinity']);
    expect(rows(`${data} desc`).flat()).toEqual(['Infinity', 5, 0, -5, '-Infinity', 'NaN', null]);
  });

  test('several keys, equal ones in order of arrival', () => {
    expect(rows('requests | sort by name asc, duration desc | project id').flat()).toEqual([
      'r3',
      'r1',
      'r4',
      'r5',
      'r2',
      'r6',
    ]);
    expect(rows('requests | sort by itemCount asc | project id').flat()).toEqual([
      'r1',
      'r2',
      'r4',
      'r6',
      'r3',
      'r5',
    ]);
  });

  test('top keeps only what is asked for, from many rows', () => {
    expect(rows('requests | top 2 by duration | project id').flat()).toEqual(['r6', 'r5']);
    expect(rows('requests | top 2 by duration asc | project id').flat()).toEqual(['r4', 'r1']);
    expect(
      rows('range x from 1 to 10000 step 1 | extend y = x * 7919 % 10007 | top 3 by y | project y').flat(),
    ).toEqual([10006, 10005, 10004]);
  });

  test('distinct', () => {
    expect(rows('requests | distinct name, success')).toEqual([
      ['GET a', 'True'],
      ['GET b', 'True'],
      ['GET a', 'False'],
      ['GET c', ''],
    ]);
    expect(rows('requests | project name | distinct *').flat()).toEqual(['GET a', 'GET b', 'GET c']);
  });

  test('count', () => {
    expect(query('requests | where false | count')).toMatchObject({
      columns: [{ name: 'Count', type: 'long' }],
      rows: [[0]],
    });
  });
});

describe('let, functions, toscalar', () => {
  test('scalars and tables', () => {
    const text = `let limit = 25.0;
      let slow = requests | where duration > limit;
      let n = toscalar(slow | count);
      slow | summarize ids = make_list(id), n = max(n)`;
    expect(rows(text)).toEqual([[['r3', 'r5', 'r6'], 3]]);
  });

  test('toscalar of no row is null, of several the first', () => {
    expect(
      rows(
        'print a = toscalar(requests | where false | project duration), b = toscalar(requests | project id)',
      ),
    ).toEqual([[null, 'r1']]);
  });

  test('toscalar inside summarize, over another table', () => {
    expect(
      rows(
        'requests | summarize calls = toscalar(dependencies | summarize sum(itemCount)), n = sum(itemCount)',
      ),
    ).toEqual([[4, 10]]);
  });

  test('scalar functions get values of the row', () => {
    expect(
      rows(
        'let f = (x: real, y: real = 2.0) { let z = x * y; z + 1 }; requests | project f(duration) | take 2',
      ),
    ).toEqual([[21], [41]]);
  });

  test('functions that call functions, and tabular functions', () => {
    expect(value('let f = (x: long) { x + 1 }; let g = (x: long) { f(x) * f(x + 1) }; print g(2)')).toBe(12);
    expect(
      rows('let named = (n: string) { requests | where name == n }; named("GET b") | project id'),
    ).toEqual([['r2'], ['r5']]);
    expect(rows('let everything = view () { requests | project id }; everything | count')).toEqual([[6]]);
  });

  test('materialize', () => {
    expect(
      rows('let m = materialize(requests | where name == "GET b"); m | join kind=inner m on id | count'),
    ).toEqual([[2]]);
  });
});

describe('sources', () => {
  test('print names its columns', () => {
    expect(shape('print 1, x = 2, strcat("a", "b")')).toBe('print_0:long, x:long, print_2:string');
  });

  test('range over numbers and times', () => {
    expect(rows('range x from 1 to 10 step 4')).toEqual([[1], [5], [9]]);
    expect(rows('range x from 3 to 1 step -1')).toEqual([[3], [2], [1]]);
    expect(rows('range x from 0.0 to 1.0 step 0.5')).toEqual([[0], [0.5], [1]]);
    expect(rows('range t from datetime(2026-01-01) to datetime(2026-01-02) step 12h')).toEqual([
      ['2026-01-01T00:00:00Z'],
      ['2026-01-01T12:00:00Z'],
      ['2026-01-02T00:00:00Z'],
    ]);
  });

  test('datatable', () => {
    expect(rows('datatable(a:real, b:string)[1, "x", real(null), "y"]')).toEqual([
      [1, 'x'],
      [null, 'y'],
    ]);
  });
});

describe('mv-expand', () => {
  test('an array gives a row per element, a null one row, an empty array none', () => {
    expect(rows('requests | mv-expand tag = customDimensions.tags | project id, tag')).toEqual([
      ['r1', 'x'],
      ['r1', 'y'],
      ['r2', null],
      ['r4', null],
      ['r5', null],
      ['r6', null],
    ]);
  });

  test('bags as bags or as pairs', () => {
    const data = "datatable(a:int, b:dynamic)[1, dynamic({'p':'a1','q':'b1'})]";
    expect(rows(`${data} | mv-expand b`)).toEqual([
      [1, { p: 'a1' }],
      [1, { q: 'b1' }],
    ]);
    expect(
      rows(`${data} | mv-expand kind=array b | extend key = b[0], val = b[1] | project key, val`),
    ).toEqual([
      ['p', 'a1'],
      ['q', 'b1'],
    ]);
  });

  test('columns advance together', () => {
    const data = "datatable(a:int, b:dynamic, c:dynamic)[1, dynamic({'p':'a','q':'b'}), dynamic([5,4,3])]";
    expect(rows(`${data} | mv-expand b, c`)).toEqual([
      [1, { p: 'a' }, 5],
      [1, { q: 'b' }, 4],
      [1, null, 3],
    ]);
  });

  test('types, index and limit', () => {
    const text =
      'range x from 1 to 4 step 1 | summarize x = make_list(x) | mv-expand with_itemindex=Index x to typeof(long) limit 3';
    expect(shape(text)).toBe('x:long, Index:long');
    expect(rows(text)).toEqual([
      [1, 0],
      [2, 1],
      [3, 2],
    ]);
    expect(rows('print a = dynamic([1, "2", 3.5, true]) | mv-expand a to typeof(long)').flat()).toEqual([
      1,
      null,
      null,
      null,
    ]);
    expect(
      rows(
        'print t = range(datetime(2026-01-01), datetime(2026-01-02), 1d) | mv-expand t to typeof(datetime)',
      ).flat(),
    ).toEqual(['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']);
  });
});

describe('render', () => {
  test('is handed on with its properties', () => {
    const text =
      'requests | summarize n = count(), m = max(duration) by bin(timestamp, 1m) | render timechart with (title="Load", ycolumns=n, m, ymin=0)';
    expect(query(text).visualization).toEqual({
      kind: 'timechart',
      properties: { title: 'Load', ycolumns: ['n', 'm'], ymin: 0 },
    });
    expect(query('requests | count').visualization).toBeUndefined();
  });
});

describe('the time range of the request', () => {
  const from = at('2026-01-01T00:01:30Z');
  const to = at('2026-01-01T00:02:31Z');

  test('holds for every table, also in toscalar, with an exclusive end', () => {
    expect(rows('requests | project id', { timespan: { from, to } }).flat()).toEqual(['r2', 'r3']);
    expect(rows('print toscalar(dependencies | count)', { timespan: { from, to } })).toEqual([[1]]);
    expect(rows('requests | count', { timespan: { from } })).toEqual([[5]]);
    expect(rows('requests | count', { timespan: { to } })).toEqual([[3]]);
  });

  test('is ANDed with the query', () => {
    expect(
      rows('requests | where timestamp > datetime(2026-01-01T00:02:00Z) | project id', {
        timespan: { from, to },
      }),
    ).toEqual([['r3']]);
  });
});
