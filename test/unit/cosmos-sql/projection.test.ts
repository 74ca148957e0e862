import { describe, expect, it } from 'vitest';
import { run } from './run-query.js';

const families = [
  {
    id: 'andersen',
    lastName: 'Andersen',
    address: { state: 'WA', city: 'Seattle' },
    children: [{ name: 'Henriette', grade: 5, pets: [{ given: 'Fluffy' }] }],
    'odd name': 1,
    order: 7,
  },
  {
    id: 'wakefield',
    address: { state: 'NY', city: 'NY' },
    children: [
      { name: 'Jesse', grade: 1, pets: [{ given: 'Goofy' }, { given: 'Shadow' }] },
      { name: 'Lisa', grade: 8 },
    ],
  },
];

describe('SELECT', () => {
  it.each<[string, unknown[]]>([
    ['SELECT * FROM c', families],
    ['select * from c', families],
    ['SELECT VALUE c FROM c', families],
    ['SELECT c.id FROM c', [{ id: 'andersen' }, { id: 'wakefield' }]],
    ['SELECT f.id AS name FROM Families f', [{ name: 'andersen' }, { name: 'wakefield' }]],
    ['SELECT f.id name FROM Families AS f', [{ name: 'andersen' }, { name: 'wakefield' }]],
    ['SELECT root.id FROM root', [{ id: 'andersen' }, { id: 'wakefield' }]],
    ['SELECT c.lastName FROM c', [{ lastName: 'Andersen' }, {}]],
    ['SELECT VALUE c.lastName FROM c', ['Andersen']],
    ['SELECT VALUE c["odd name"] FROM c', [1]],
    ['SELECT c["odd name"], c["order"] FROM c', [{ 'odd name': 1, order: 7 }, {}]],
    ['SELECT c.children[0].name FROM c', [{ name: 'Henriette' }, { name: 'Jesse' }]],
    ['SELECT c.children[0] FROM c WHERE c.id = "wakefield"', [{ $1: families[1]?.children[0] }]],
    [
      'SELECT 1, c.id, c.id = "x", "two" FROM c',
      [
        { $1: 1, id: 'andersen', $2: false, $3: 'two' },
        { $1: 1, id: 'wakefield', $2: false, $3: 'two' },
      ],
    ],
    [
      'SELECT VALUE {"city": c.address.city, state: c.address.state, gone: c.nothing} FROM c',
      [
        { city: 'Seattle', state: 'WA' },
        { city: 'NY', state: 'NY' },
      ],
    ],
    [
      'SELECT VALUE [c.id, c.lastName, null] FROM c',
      [
        ['andersen', 'Andersen', null],
        ['wakefield', null],
      ],
    ],
    ['SELECT c FROM c WHERE c.id = "andersen"', [{ c: families[0] }]],
    ['SELECT VALUE 1', [1]],
    ['SELECT 1 AS one, {} AS two', [{ one: 1, two: {} }]],
    ['SELECT VALUE c.id FROM c WHERE true', ['andersen', 'wakefield']],
    ['SELECT VALUE c.id FROM c WHERE 1', []],
    ['SELECT VALUE c.id FROM c WHERE c.lastName', []],
    ['SELECT VALUE c.id FROM c -- only ids\n', ['andersen', 'wakefield']],
  ])('%s', (text, expected) => {
    expect(run(text, families)).toStrictEqual(expected);
  });

  it('hands out the stored document itself', () => {
    expect(run('SELECT * FROM c', families)[0]).toBe(families[0]);
  });

  it.each([['constructor'], ['toString'], ['hasOwnProperty'], ['__proto__']])(
    'reads %s only where a document has it',
    (name) => {
      const owner = JSON.parse(`{"id": "1", "${name}": "own"}`);
      expect(run(`SELECT VALUE c.${name} FROM c`, [owner, { id: '2' }])).toStrictEqual(['own']);
      expect(
        run(`SELECT VALUE c[@name] FROM c`, [owner, { id: '2' }], { parameters: { '@name': name } }),
      ).toStrictEqual(['own']);
      expect(JSON.stringify(run(`SELECT VALUE {"${name}": c.${name}} FROM c`, [owner, {}]))).toBe(
        `[{"${name}":"own"},{}]`,
      );
    },
  );

  it('does not see the length of arrays and strings as properties', () => {
    expect(
      run('SELECT VALUE [c.a.length, c.s.length, c.s[0]] FROM c', [{ a: [1], s: 'text' }]),
    ).toStrictEqual([[]]);
  });
});

it('takes words that are reserved in one place only as names elsewhere', () => {
  const text = 'SELECT c.left, c.rank AS right, LEFT(c.left, 1) AS rank FROM c ORDER BY c.rank';
  expect(run(text, [{ left: 'abc', rank: 2 }])).toStrictEqual([{ left: 'abc', right: 2, rank: 'a' }]);
  expect(run('SELECT VALUE rank.x FROM rank ORDER BY rank.x', [{ x: 1 }])).toStrictEqual([1]);
});

describe('FROM', () => {
  it.each<[string, unknown[]]>([
    ['SELECT * FROM c.address', [families[0]?.address, families[1]?.address]],
    ['SELECT address.city FROM c.address', [{ city: 'Seattle' }, { city: 'NY' }]],
    ['SELECT VALUE a.city FROM Families.address a', ['Seattle', 'NY']],
    ['SELECT * FROM c.lastName', ['Andersen']],
    ['SELECT VALUE x.name FROM c.children[1] x', ['Lisa']],
    ['SELECT VALUE x FROM c["odd name"] AS x', [1]],
    ['SELECT VALUE ch.name FROM ch IN c.children', ['Henriette', 'Jesse', 'Lisa']],
    ['SELECT * FROM ch IN c.children', [...(families[0]?.children ?? []), ...(families[1]?.children ?? [])]],
    ['SELECT VALUE ch.name FROM ch IN c.children WHERE ch.grade > 4', ['Henriette', 'Lisa']],
    ['SELECT VALUE x FROM x IN c.address', []],
    ['SELECT VALUE x FROM x IN c.missing', []],
  ])('%s', (text, expected) => {
    expect(run(text, families)).toStrictEqual(expected);
  });
});

describe('JOIN', () => {
  it.each<[string, unknown[]]>([
    [
      'SELECT c.id, ch.name FROM c JOIN ch IN c.children',
      [
        { id: 'andersen', name: 'Henriette' },
        { id: 'wakefield', name: 'Jesse' },
        { id: 'wakefield', name: 'Lisa' },
      ],
    ],
    [
      'SELECT VALUE {n: ch.name, p: p.given} FROM c JOIN ch IN c.children JOIN p IN ch.pets',
      [
        { n: 'Henriette', p: 'Fluffy' },
        { n: 'Jesse', p: 'Goofy' },
        { n: 'Jesse', p: 'Shadow' },
      ],
    ],
    [
      'SELECT VALUE [a.name, b.name] FROM c JOIN a IN c.children JOIN b IN c.children WHERE a.grade < b.grade',
      [['Jesse', 'Lisa']],
    ],
    ['SELECT VALUE a.city FROM c JOIN c.address a', ['Seattle', 'NY']],
    ['SELECT VALUE address.city FROM c JOIN c.address', ['Seattle', 'NY']],
    ['SELECT VALUE p.given FROM c JOIN p IN c.children[0].pets', ['Fluffy', 'Goofy', 'Shadow']],
    ['SELECT VALUE c.id FROM c JOIN x IN c.missing', []],
    ['SELECT VALUE c.id FROM c JOIN x IN c.address', []],
    [
      'SELECT VALUE t.given FROM c JOIN (SELECT VALUE p FROM ch IN c.children JOIN p IN ch.pets WHERE p.given != "Goofy") AS t',
      ['Fluffy', 'Shadow'],
    ],
    [
      'SELECT VALUE t FROM c JOIN t IN (SELECT VALUE ch.pets FROM ch IN c.children)',
      [{ given: 'Fluffy' }, { given: 'Goofy' }, { given: 'Shadow' }],
    ],
    [
      'SELECT VALUE c.id FROM c JOIN (SELECT VALUE ch FROM ch IN c.children)',
      ['andersen', 'wakefield', 'wakefield'],
    ],
    [
      'SELECT c.id, s FROM c JOIN (SELECT COUNT(1) AS n FROM ch IN c.children) s',
      [
        { id: 'andersen', s: { n: 1 } },
        { id: 'wakefield', s: { n: 2 } },
      ],
    ],
  ])('%s', (text, expected) => {
    expect(run(text, families)).toStrictEqual(expected);
  });
});

describe('subqueries', () => {
  it.each<[string, unknown[]]>([
    [
      'SELECT VALUE c.id FROM c WHERE EXISTS(SELECT VALUE ch FROM ch IN c.children WHERE ch.grade > 5)',
      ['wakefield'],
    ],
    [
      'SELECT VALUE c.id FROM c WHERE NOT EXISTS(SELECT VALUE ch FROM ch IN c.children WHERE ch.grade > 5)',
      ['andersen'],
    ],
    ['SELECT VALUE EXISTS(SELECT VALUE c.lastName) FROM c', [true, false]],
    ['SELECT VALUE EXISTS(SELECT c.lastName) FROM c', [true, true]],
    [
      'SELECT VALUE ARRAY(SELECT VALUE ch.name FROM ch IN c.children) FROM c',
      [['Henriette'], ['Jesse', 'Lisa']],
    ],
    [
      'SELECT VALUE ARRAY(SELECT ch.name FROM ch IN c.children WHERE ch.grade = 8) FROM c',
      [[], [{ name: 'Lisa' }]],
    ],
    ['SELECT VALUE (SELECT VALUE COUNT(1) FROM ch IN c.children) FROM c', [1, 2]],
    ['SELECT VALUE (SELECT VALUE ch.name FROM ch IN c.children WHERE ch.grade = 5) FROM c', ['Henriette']],
    ['SELECT VALUE c.id FROM c WHERE (SELECT VALUE MAX(ch.grade) FROM ch IN c.children) = 8', ['wakefield']],
    [
      'SELECT VALUE ARRAY(SELECT VALUE EXISTS(SELECT VALUE p FROM p IN ch.pets) FROM ch IN c.children) FROM c',
      [[true], [true, false]],
    ],
    [
      'SELECT VALUE ARRAY(SELECT VALUE c FROM c IN c.children WHERE c.grade = 1) FROM c',
      [[], [families[1]?.children[0]]],
    ],
    [
      'SELECT VALUE ARRAY(SELECT VALUE {g: ch.grade > 4, n: COUNT(1)} FROM ch IN c.children GROUP BY ch.grade > 4) FROM c',
      [
        [{ g: true, n: 1 }],
        [
          { g: false, n: 1 },
          { g: true, n: 1 },
        ],
      ],
    ],
  ])('%s', (text, expected) => {
    expect(run(text, families)).toStrictEqual(expected);
  });

  it('refuses a scalar subquery with several rows when it meets one, by position', () => {
    const text = 'SELECT VALUE (SELECT VALUE ch.name FROM ch IN c.children) FROM c';
    expect(run(text, families.slice(0, 1))).toStrictEqual(['Henriette']);
    expect(() => run(text, families)).toThrow(/cardinality of a scalar subquery.*\(at 1:14\)/);
  });
});
