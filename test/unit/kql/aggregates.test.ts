import { describe, expect, test } from 'vitest';
import { rows, shape } from './fixture.js';

const NUMBERS =
  'datatable(g:string, x:long, y:real, t:timespan)["a",1,1.5,1s, "a",2,2.5,2s, "b",3,real(null),3s, "b",long(null),4.0,timespan(null)]';

function one(aggregates: string, source = NUMBERS): unknown[] {
  const result = rows(`${source} | summarize ${aggregates}`);
  expect(result).toHaveLength(1);
  return result[0] ?? [];
}

describe('aggregates', () => {
  test.each([
    ['count()', 4],
    ['countif(x > 1)', 2],
    ['sum(x)', 6],
    ['sum(y)', 8],
    ['sum(t)', '00:00:06'],
    ['sumif(x, g == "a")', 3],
    ['avg(x)', 2],
    ['avg(y)', 8 / 3],
    ['avg(t)', '00:00:02'],
    ['avgif(y, g == "a")', 2],
    ['min(x)', 1],
    ['max(x)', 3],
    ['min(g)', 'a'],
    ['max(t)', '00:00:03'],
    ['minif(x, x > 1)', 2],
    ['maxif(x, x < 3)', 2],
    ['dcount(g)', 2],
    ['dcount(x)', 3],
    ['dcountif(x, x > 1)', 2],
    ['count_distinct(g)', 2],
    ['count_distinctif(x, x < 2)', 1],
    ['make_list(x)', [1, 2, 3]],
    ['make_list(x, 2)', [1, 2]],
    ['make_list_if(x, g == "a")', [1, 2]],
    ['make_list_with_nulls(x)', [1, 2, 3, null]],
    ['make_list(t)', ['00:00:01', '00:00:02', '00:00:03']],
    ['make_set(g)', ['a', 'b']],
    ['make_set(g, 1)', ['a']],
    ['make_set_if(x, x != 2)', [1, 3]],
    ['stdev(x)', 1],
    ['variance(x)', 1],
    ['stdevp(x)', Math.sqrt(2 / 3)],
    ['variancep(x)', 2 / 3],
    ['stdevif(x, x < 3)', Math.sqrt(0.5)],
    ['take_any(g)', 'a'],
    ['percentile(x, 50)', 2],
    ['percentile(toint(x), 50)', 2],
    ['percentile(y, 50)', 2.5],
    ['percentile(t, 100)', '00:00:03'],
    ['percentiles_array(x, 0, 50, 100)', [1, 2, 3]],
    ['percentiles_array(x, dynamic([0, 100]))', [1, 3]],
    ['sum(x) / count()', 1],
    ['round(avg(y), 1)', 2.7],
    ['1.0 * sum(x) / count()', 1.5],
  ])('%s', (aggregate, expected) => {
    expect(one(aggregate)).toEqual([expected]);
  });

  test.each([
    ['count()', 0],
    ['countif(x > 1)', 0],
    ['sum(x)', 0],
    ['sum(y)', 0],
    ['avg(x)', 'NaN'],
    ['min(x)', null],
    ['max(g)', ''],
    ['dcount(x)', 0],
    ['make_list(x)', []],
    ['make_set(x)', []],
    ['percentile(x, 50)', null],
    ['take_any(x)', null],
  ])('%s of nothing', (aggregate, expected) => {
    expect(one(aggregate, `${NUMBERS} | where false`)).toEqual([expected]);
  });

  test('with groups, nothing gives no row', () => {
    expect(rows(`${NUMBERS} | where false | summarize count() by g`)).toEqual([]);
  });

  test('range x from 1 to 5: the documented spread', () => {
    expect(one('make_list(x), stdev(x), variance(x)', 'range x from 1 to 5 step 1')).toEqual([
      [1, 2, 3, 4, 5],
      1.5811388300841898,
      2.5,
    ]);
  });

  test('percentiles are nearest ranks', () => {
    const hundred = 'range x from 1 to 100 step 1';
    expect(one('percentiles(x, 0, 1, 50, 95, 99.5, 100)', hundred)).toEqual([1, 1, 50, 95, 100, 100]);
    expect(one('percentile(x, 99.9)', 'range x from 1 to 1000 step 1')).toEqual([999]);
    expect(one('percentiles(x, 25, 50, 75)', 'print x = 7')).toEqual([7, 7, 7]);
  });

  test('names and types follow Kusto', () => {
    expect(
      shape(
        'requests | summarize count(), countif(true), sum(itemCount), avg(duration), percentiles(duration, 5, 50.5), dcount(name), make_list(name), max(timestamp), arg_max(duration, name), (p, q) = percentiles(duration, 1, 2) by bin(timestamp, 1m), tostring(customDimensions.step)',
      ),
    ).toBe(
      'timestamp:datetime, customDimensions_step:string, count_:long, countif_:long, sum_itemCount:long, avg_duration:real, percentile_duration_5:real, percentile_duration_50_5:real, dcount_name:long, list_name:dynamic, max_timestamp:datetime, duration:real, name:string, p:real, q:real',
    );
  });
});

describe('arg_max, arg_min, take_any', () => {
  test('the whole row, without plain group keys', () => {
    expect(shape('requests | summarize arg_max(duration, *) by name')).toBe(
      'name:string, duration:real, timestamp:datetime, id:string, success:string, itemCount:int, operation_Id:string, customDimensions:dynamic',
    );
    expect(
      rows(
        'requests | summarize arg_max(duration, *) by name | project name, id, duration | sort by name asc',
      ),
    ).toEqual([
      ['GET a', 'r3', 30],
      ['GET b', 'r5', 50],
      ['GET c', 'r6', 60],
    ]);
  });

  test('nulls lose, and only nulls give a row', () => {
    const fruit =
      'datatable(Fruit:string, Color:string, Version:int)["Apple","Red",1, "Apple","Green",int(null), "Banana","Yellow",int(null), "Banana","Green",int(null), "Pear","Brown",1, "Pear","Green",2]';
    expect(rows(`${fruit} | summarize arg_max(Version, *) by Fruit`)).toEqual([
      ['Apple', 1, 'Red'],
      ['Banana', null, 'Yellow'],
      ['Pear', 2, 'Green'],
    ]);
  });

  test('values of other expressions, of the first among equals', () => {
    expect(rows('requests | summarize arg_min(itemCount, id, twice = duration * 2)')).toEqual([
      [1, 'r1', 20],
    ]);
  });

  test('take_any prefers a value', () => {
    expect(rows('datatable(x:string)["", "b", "c"] | summarize take_any(x)')).toEqual([['b']]);
    expect(rows('requests | summarize take_any(id, name)')).toEqual([['r1', 'GET a']]);
    expect(rows('requests | project id, name | summarize take_any(*) by name')).toEqual([
      ['GET a', 'r1'],
      ['GET b', 'r2'],
      ['GET c', 'r6'],
    ]);
  });
});

describe('groups', () => {
  test('bins of time', () => {
    expect(rows('requests | summarize n = sum(itemCount) by bin(timestamp, 2m)')).toEqual([
      ['2026-01-01T00:00:00Z', 2],
      ['2026-01-01T00:02:00Z', 3],
      ['2026-01-01T00:04:00Z', 5],
    ]);
  });

  test('null is a group of its own, and so is the empty string', () => {
    expect(rows('requests | summarize count() by success, isSlow = duration > 25')).toEqual([
      ['True', false, 2],
      ['False', true, 1],
      ['True', null, 1],
      ['True', true, 1],
      ['', true, 1],
    ]);
  });

  test('by without aggregates', () => {
    expect(rows('requests | summarize by name')).toEqual([['GET a'], ['GET b'], ['GET c']]);
  });

  test('a column computed once per row serves keys and aggregates', () => {
    expect(
      rows(
        'requests | extend size = strcat("k", itemCount) | summarize n = count(), max(size) by size | sort by size asc',
      ),
    ).toEqual([
      ['k1', 4, 'k1'],
      ['k2', 1, 'k2'],
      ['k4', 1, 'k4'],
    ]);
  });
});

describe('make-series', () => {
  const DATA = `datatable(timestamp:datetime, metric:real)[
    datetime(2016-12-31T06:00), 50, datetime(2017-01-01), 4, datetime(2017-01-02), 3, datetime(2017-01-03), 4,
    datetime(2017-01-03T03:00), 6, datetime(2017-01-05), 8, datetime(2017-01-05T13:40), 13, datetime(2017-01-06), 4,
    datetime(2017-01-07), 3, datetime(2017-01-08), 8, datetime(2017-01-08T21:00), 8, datetime(2017-01-09), 2,
    datetime(2017-01-09T12:00), 11, datetime(2017-01-10T05:00), 5]`;
  const RANGE = 'from datetime(2017-01-01) to datetime(2017-01-10) step 1d';

  test('the documented example', () => {
    const [values, times] = rows(`${DATA} | make-series avg(metric) on timestamp ${RANGE}`)[0] as [
      number[],
      string[],
    ];
    expect(values).toEqual([4, 3, 5, 0, 10.5, 4, 3, 8, 6.5]);
    expect(times.at(0)).toBe('2017-01-01T00:00:00.0000000Z');
    expect(times.at(-1)).toBe('2017-01-09T00:00:00.0000000Z');
  });

  test('empty input gives no series, or one of defaults on request', () => {
    expect(
      rows(`${DATA} | take 0 | make-series avg(metric) default=1.0 on timestamp ${RANGE} | count`),
    ).toEqual([[0]]);
    expect(
      rows(
        `${DATA} | take 0 | make-series kind=nonempty avg(metric) default=1.0 on timestamp ${RANGE}`,
      )[0]?.[0],
    ).toEqual(Array(9).fill(1));
  });

  test('without bounds each series has the extent of its data', () => {
    expect(
      rows(
        'requests | make-series n = count(), d = max(duration) default = -1 on timestamp step 1m by name | project name, n, d',
      ),
    ).toEqual([
      ['GET a', [1, 0, 1, 1], [10, -1, 30, null]],
      ['GET b', [1, 0, 0, 1], [20, -1, -1, 50]],
      ['GET c', [1], [60]],
    ]);
  });

  test('numeric axis, and expanded again', () => {
    expect(
      rows(
        'range x from 1 to 6 step 1 | make-series s = sum(x) on x from 0 to 8 step 2 | mv-expand s to typeof(long), x to typeof(long)',
      ),
    ).toEqual([[1, 0], [5, 2], [9, 4], [6, 6].map((v, i) => (i === 0 ? 6 : v))]);
  });
});
