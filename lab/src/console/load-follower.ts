import { setTimeout as delay } from 'node:timers/promises';
import { findStack } from '../stack/find-stack.js';
import type { LoadNews } from '../stack/load-board.js';
import type { StateDir } from '../stack/state-dir.js';

const RETRY_MS = 1_000;

/** Hears of every load that runs on the stack of a directory, whoever runs it, whichever stack that is. */
export function followLoads(dir: StateDir, onNews: (news: LoadNews) => void): { close(): void } {
  const closed = new AbortController();
  const { signal } = closed;
  const follow = async () => {
    const stack = await findStack(dir);
    if (!stack.found) return;
    let [version, run, known] = [0, '', 0];
    while (!signal.aborted) {
      const news = await stack.client.followLoad({ version, run, known }, signal);
      known = (news.load?.run === run ? known : 0) + news.points.length;
      version = news.version;
      run = news.load?.run ?? '';
      onNews(news);
    }
  };
  const keepFollowing = async () => {
    while (!signal.aborted) {
      // A stack that has gone is no news; another one may come.
      await follow().catch(() => onNews(NOTHING));
      await delay(RETRY_MS, undefined, { signal }).catch(() => {});
    }
  };
  void keepFollowing();
  return { close: () => closed.abort() };
}

const NOTHING: LoadNews = { version: 0, load: null, points: [], turns: [] };
