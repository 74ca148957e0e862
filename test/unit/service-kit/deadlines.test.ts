import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Deadlines } from '../../../libs/service-kit/src/outbound/deadlines.js';
import { Ending } from '../../../libs/service-kit/src/outbound/ending.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

describe('deadlines', () => {
  it('end each call when its own time is over, and no other', () => {
    const deadlines = new Deadlines(100);
    const [first, second] = [new Ending(), new Ending()];
    deadlines.add(first);
    vi.advanceTimersByTime(60);
    deadlines.add(second);
    vi.advanceTimersByTime(39);
    expect(first.reason).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(first.reason).toMatchObject({ code: 'TIMEOUT' });
    expect(second.reason).toBeUndefined();
    vi.advanceTimersByTime(60);
    expect(second.reason).toMatchObject({ code: 'TIMEOUT' });
  });

  it('leave a call alone that has ended, and serve one that begins after all others have', () => {
    const deadlines = new Deadlines(100);
    const [ended, later] = [new Ending(), new Ending()];
    deadlines.add(ended);
    deadlines.delete(ended);
    vi.advanceTimersByTime(500);
    expect(ended.reason).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
    deadlines.add(later);
    vi.advanceTimersByTime(100);
    expect(later.reason).toMatchObject({ code: 'TIMEOUT' });
  });
});

describe('an ending', () => {
  it('happens once, for the first reason, and tells whoever listens', () => {
    const ending = new Ending();
    const told: Error[] = [];
    ending.onEnd = (reason) => told.push(reason);
    ending.end(new Error('first'));
    ending.end(new Error('second'));
    expect(told.map((reason) => reason.message)).toEqual(['first']);
    expect(ending.reason?.message).toBe('first');
  });
});
