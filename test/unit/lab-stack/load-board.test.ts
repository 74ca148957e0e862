import { describe, expect, it } from 'vitest';
import { whyScriptFixesUsers } from '../../../lab/src/runner/announcement.js';
import { createLoadBoard, type LoadBoard } from '../../../lab/src/stack/load-board.js';
import { parseUsers } from '../../../lab/src/stack/turns.js';

const LOAD = { run: 'a', scenario: 'throttled', plannedSeconds: 60, pid: 7, usersFixed: '' };
const UNDER_LOAD = { phase: 'load', loadStartMs: 1_000, users: 3, limitedServices: ['delivery'] };
const forever = new AbortController().signal;
const START = { version: 0, run: '', known: 0 };

function announced(load = LOAD): { board: LoadBoard; leave: () => void; left: Promise<void> } {
  const board = createLoadBoard();
  const there = new AbortController();
  const left = board.announce(load, there.signal);
  return { board, leave: () => there.abort(), left };
}

describe('a load that is announced', () => {
  it('is there until whoever runs it has gone', async () => {
    const { board, leave, left } = announced();
    expect(board.current()).toMatchObject({ run: 'a', phase: '', users: null });
    await expect(board.announce({ ...LOAD, run: 'b' }, forever)).rejects.toThrow(
      'a is running on this stack',
    );
    leave();
    await left;
    expect(board.current()).toBeNull();
    void board.announce({ ...LOAD, run: 'b' }, forever);
    expect(board.current()).toMatchObject({ run: 'b' });
  });

  it('is followed from any moment on, without what is known', async () => {
    const { board, leave } = announced();
    board.report('a', UNDER_LOAD, [{ second: 0 }, { second: 1 }]);
    board.report('another', UNDER_LOAD, [{ second: 9 }]);
    const first = await board.follow(START, forever);
    expect(first).toMatchObject({ load: { run: 'a', users: 3 }, points: [{ second: 0 }, { second: 1 }] });
    const next = board.follow({ version: first.version, run: 'a', known: 2 }, forever);
    board.report('a', UNDER_LOAD, [{ second: 2 }]);
    expect((await next).points).toEqual([{ second: 2 }]);
    const end = board.follow({ version: (await next).version, run: 'a', known: 3 }, forever);
    leave();
    expect(await end).toMatchObject({ load: null, points: [] });
  });
});

describe('users that somebody asks for', () => {
  it('are set by whoever runs the load', async () => {
    const { board } = announced();
    board.report('a', UNDER_LOAD, []);
    const orders = board.orders(0, forever);
    const set = board.setUsers(60);
    expect(await orders).toEqual([{ sequence: 1, users: 60 }]);
    board.answer({ sequence: 1, from: 3 });
    expect(await set).toBe(3);
    const again = board.setUsers(5);
    expect(await board.orders(1, forever)).toEqual([{ sequence: 2, users: 5 }]);
    board.answer({ sequence: 2, refused: 'the load has ended' });
    await expect(again).rejects.toThrow('users can not be turned: the load has ended');
  });

  it('are refused when whoever runs the load goes, or says nothing', async () => {
    const { board, leave } = announced();
    board.report('a', UNDER_LOAD, []);
    const set = board.setUsers(60);
    leave();
    await expect(set).rejects.toThrow('the load has ended');
    const silent = createLoadBoard({ answerMs: 1 });
    void silent.announce(LOAD, forever);
    silent.report('a', UNDER_LOAD, []);
    await expect(silent.setUsers(60)).rejects.toThrow('did not answer');
  });

  it('are refused with the reason where there is no such load', async () => {
    await expect(createLoadBoard().setUsers(5)).rejects.toMatchObject({
      code: 'KNOB_REFUSED',
      message: 'users can not be turned: no load is running',
    });
    await expect(announced().board.setUsers(5)).rejects.toThrow('the load has not begun');
    const { board } = announced({ ...LOAD, usersFixed: whyScriptFixesUsers('docker', 'article') });
    board.report('a', UNDER_LOAD, []);
    await expect(board.setUsers(5)).rejects.toThrow(/k6 takes the users .* only the built-in engine/);
  });

  it('can be set for closed loads of the built-in engine', () => {
    expect(whyScriptFixesUsers('builtin', 'article')).toBe('');
    expect(whyScriptFixesUsers('builtin', 'arrival-rate')).toContain('arrivals by the clock');
    expect(whyScriptFixesUsers('k6', 'article')).toContain('engine k6');
  });

  it.each([-1, 501, 1.5, '', 'many', null])('%j is no number of users', (value) => {
    expect(() => parseUsers(value)).toThrow('users: must be a whole number from 0 to 500');
  });

  it('is a number as typed, too', () => {
    expect([parseUsers(60), parseUsers('60'), parseUsers(0)]).toEqual([60, 60, 0]);
  });
});
