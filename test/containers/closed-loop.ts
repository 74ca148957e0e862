import { Client } from 'undici';

export interface ClosedLoop {
  answered(): number;
  /** Ends when every user has left: by `stop`, or because nobody listens any more. */
  outcome: Promise<{ answered: number; failures: string[] }>;
  stop(): Promise<void>;
}

/**
 * Users that ask without a pause, each over a connection of its own. One whose connection was closed in order opens another;
 * when nobody listens there any more it leaves. Everything else that is not a 200 is a failure.
 */
export function closedLoop({ url, users }: { url: string; users: number }): ClosedLoop {
  const { origin, pathname, search } = new URL(url);
  const failures: string[] = [];
  let answered = 0;
  let stopped = false;

  const user = async () => {
    const client = new Client(origin);
    while (!stopped) {
      try {
        const { statusCode, body } = await client.request({ method: 'GET', path: pathname + search });
        const text = await body.text();
        if (statusCode === 200) answered += 1;
        else failures.push(`${statusCode} ${text.slice(0, 300)}`);
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException;
        // Of a container that has ended, the address is gone as well.
        if (code !== 'ECONNREFUSED' && code !== 'EHOSTUNREACH') failures.push(`${code}: ${message}`);
        break;
      }
    }
    await client.destroy();
  };
  const outcome = Promise.all(Array.from({ length: users }, user)).then(() => ({ answered, failures }));
  return {
    answered: () => answered,
    outcome,
    async stop() {
      stopped = true;
      await outcome;
    },
  };
}
