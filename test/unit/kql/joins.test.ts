import { describe, expect, test } from 'vitest';
import { rows, shape } from './fixture.js';

const X = "let X = datatable(Key:string, Value1:long)['a',1, 'b',2, 'b',3, 'c',4];";
const Y = "let Y = datatable(Key:string, Value2:long)['b',10, 'c',20, 'c',30, 'd',40];";

function join(kind: string): unknown[][] {
  return rows(`${X}${Y} X | join ${kind} Y on Key`);
}

describe('join: the documented tables', () => {
  test('innerunique is the default and keeps one left row per key', () => {
    const expected = [
      ['b', 2, 'b', 10],
      ['c', 4, 'c', 20],
      ['c', 4, 'c', 30],
    ];
    expect(join('')).toEqual(expected);
    expect(join('kind=innerunique')).toEqual(expected);
  });

  test.each([
    [
      'inner',
      [
        ['b', 2, 'b', 10],
        ['b', 3, 'b', 10],
        ['c', 4, 'c', 20],
        ['c', 4, 'c', 30],
      ],
    ],
    [
      'leftouter',
      [
        ['a', 1, '', null],
        ['b', 2, 'b', 10],
        ['b', 3, 'b', 10],
        ['c', 4, 'c', 20],
        ['c', 4, 'c', 30],
      ],
    ],
    [
      'rightouter',
      [
        ['b', 2, 'b', 10],
        ['b', 3, 'b', 10],
        ['c', 4, 'c', 20],
        ['c', 4, 'c', 30],
        ['', null, 'd', 40],
      ],
    ],
    [
      'fullouter',
      [
        ['a', 1, '', null],
        ['b', 2, 'b', 10],
        ['b', 3, 'b', 10],
        ['c', 4, 'c', 20],
        ['c', 4, 'c', 30],
        ['', null, 'd', 40],
      ],
    ],
    ['leftanti', [['a', 1]]],
    ['anti', [['a', 1]]],
    [
      'leftsemi',
      [
        ['b', 2],
        ['b', 3],
        ['c', 4],
      ],
    ],
    ['rightanti', [['d', 40]]],
    [
      'rightsemi',
      [
        ['b', 10],
        ['c', 20],
        ['c', 30],
      ],
    ],
  ])('%s', (kind, expected) => {
    expect(join(`kind=${kind}`)).toEqual(expected);
  });

  test('right columns get a number where names clash', () => {
    expect(shape('requests | project id, name | join (dependencies | project id, duration) on id')).toBe(
      'id:string, name:string, id1:string, duration:real',
    );
  });

  test('different names, several keys, conditions in one', () => {
    const right =
      '(dependencies | project opId = operation_Id, code = resultCode, count_ = toint(itemCount))';
    expect(
      rows(
        `requests | join kind=inner ${right} on $left.operation_Id == $right.opId and $left.itemCount == $right.count_ | project id, code`,
      ),
    ).toEqual([
      ['r1', '200'],
      ['r1', '429'],
      ['r2', '200'],
    ]);
  });

  test('null keys have no partner, not even each other', () => {
    const data = 'datatable(k:long, v:string)[1,"one", long(null),"none"]';
    expect(rows(`${data} | join kind=inner (${data}) on k | project v, v1`)).toEqual([['one', 'one']]);
    expect(rows(`${data} | join kind=leftanti (${data}) on k | project v`)).toEqual([['none']]);
    expect(rows(`${data} | join kind=fullouter (${data}) on k | project v, v1`)).toEqual([
      ['one', 'one'],
      ['none', ''],
      ['', 'none'],
    ]);
  });

  test('computed columns on both sides, then a summary', () => {
    expect(
      rows(
        'requests | extend minute = bin(timestamp, 1m) | join kind=leftouter (dependencies | extend minute = bin(timestamp, 1m)) on minute | summarize n = countif(isnotempty(id1)) by name | sort by name asc',
      ),
    ).toEqual([
      ['GET a', 3],
      ['GET b', 1],
      ['GET c', 0],
    ]);
  });

  test('a performance hint changes nothing', () => {
    expect(join('kind=leftanti hint.strategy=broadcast')).toEqual([['a', 1]]);
  });

  test('take stops a join early', () => {
    expect(rows(`${X}${Y} X | join kind=inner Y on Key | take 2 | count`)).toEqual([[2]]);
  });
});

describe('union', () => {
  test('columns of all legs; what a leg lacks is null or empty', () => {
    const text = 'union (requests | project id, name), (dependencies | project id, duration)';
    expect(shape(text)).toBe('id:string, name:string, duration:real');
    const result = rows(text);
    expect(result).toHaveLength(10);
    expect(result[0]).toEqual(['r1', 'GET a', null]);
    expect(result[6]).toEqual(['d1', '', 5]);
  });

  test('one name with two types becomes two columns', () => {
    const text = 'union (print x = 1), (print x = "a")';
    expect(shape(text)).toBe('x_long:long, x_string:string');
    expect(rows(text)).toEqual([
      [1, ''],
      [null, 'a'],
    ]);
  });

  test('kind=inner of equal columns', () => {
    expect(rows('union kind=inner (requests | project id), (dependencies | project id) | count')).toEqual([
      [10],
    ]);
  });

  test('as an operator, with the source table', () => {
    expect(rows('union withsource=table requests, dependencies | summarize count() by table')).toEqual([
      ['requests', 6],
      ['dependencies', 4],
    ]);
    expect(rows('requests | project id | union (dependencies | project id) | count')).toEqual([[10]]);
  });

  test('take stops after the rows it wants', () => {
    expect(rows('union requests, dependencies | take 7 | project id').flat().at(-1)).toBe('d1');
  });
});
