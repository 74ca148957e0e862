import type { LoadRun } from '@bottleneck-lab/loadtests';
import { chartPoint, limitedServices } from '../console/chart-point.js';
import type { LoadAnnouncement } from '../runner/announcement.js';
import type { LiveSecond } from '../runner/live-second.js';
import type { LiveSource } from '../runner/live-view.js';
import type { AnnouncedLoad, LoadProgress } from '../stack/load-board.js';
import type { StackClient } from '../stack/stack-client.js';

/** Tells the stack of a load for as long as it runs, and takes orders for its users from there. */
export function announceLoad(client: StackClient, load: AnnouncedLoad): LoadAnnouncement {
  const ended = new AbortController();
  const progress: LoadProgress = { phase: '', loadStartMs: null, users: null, limitedServices: [] };
  let container: string | null = null;
  let sending: Promise<void> = Promise.resolve();
  // A load goes on, whoever can or can't be told of it.
  const forget = () => {};
  const report = (points: { second: number }[]) => {
    const now = { run: load.run, progress: { ...progress }, points };
    // In order, so that a point is never told before the one before it.
    sending = sending.then(() => client.reportLoad(now)).catch(forget);
  };

  client.announceLoad(load, ended.signal).catch(forget);
  return {
    phase({ name, state }) {
      if (state !== 'begin') return;
      progress.phase = name;
      report([]);
    },
    second(live, source) {
      const point = chartPoint({ second: live.second, container, ...loadOf(live, source) });
      container = point.container;
      progress.loadStartMs = (source.load.second - live.second) * 1000;
      progress.users = live.users;
      for (const service of limitedServices(source.rows)) {
        if (!progress.limitedServices.includes(service)) progress.limitedServices.push(service);
      }
      report([point]);
    },
    control(run) {
      void takeOrders({ client, run, signal: ended.signal });
    },
    end: () => ended.abort(),
  };
}

function loadOf(live: LiveSecond, { load, rows }: LiveSource) {
  const { users, requests, failed } = load;
  return { rows, load: { users, requests, failed, clientMeanMs: live.meanMs, clientP95Ms: live.p95Ms } };
}

/** Ends with the signal, or with the stack, whose end is noticed elsewhere. */
async function takeOrders(context: {
  client: StackClient;
  run: Pick<LoadRun, 'setVus'>;
  signal: AbortSignal;
}): Promise<void> {
  const { client, run, signal } = context;
  let after = 0;
  try {
    while (!signal.aborted) {
      for (const { sequence, users } of await client.usersOrders(after, signal)) {
        after = sequence;
        const answer = await run.setVus(users).then(
          (from) => ({ sequence, from }),
          (error: Error) => ({ sequence, refused: error.message }),
        );
        await client.answerUsers(answer);
      }
    }
  } catch {
    // The load goes on with the users that it has.
  }
}
