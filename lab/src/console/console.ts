import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Terminal } from '../cli/terminal.js';
import { loadScenarios } from '../scenarios/index.js';
import { StackError } from '../stack/errors.js';
import { findStack } from '../stack/find-stack.js';
import type { StackStatus } from '../stack/stack-status.js';
import { openStateDir } from '../stack/state-dir.js';
import type { Turn } from '../stack/turns.js';
import { MYSTERY } from '../workshop/index.js';
import { revealStack } from '../workshop/reveal-stack.js';
import type { ConsoleState, KnobView } from './api.js';
import { createEventHub, type EventHub } from './event-hub.js';
import { knobViews } from './knob-views.js';
import { followLoads } from './load-follower.js';
import { createRunLibrary, type RunLibrary } from './run-library.js';
import { createRunSession, type RunSession } from './run-session.js';
import { createTelemetryTasks } from './telemetry-tasks.js';
import { createTelemetryViews, type TelemetryViews } from './telemetry-views.js';
import { createWorkshop, type Workshop } from './workshop.js';

export interface ConsoleOptions {
  stateDir: string;
  runsDir: string;
  seed: number;
  /** The gateway's port, for a stack that a run has to start. */
  port: number;
  cosmosEndpoint: string | null;
  version: string;
  terminal: Terminal;
}

/** Everything behind the console's routes. */
export interface Console {
  runs: RunSession;
  library: RunLibrary;
  telemetry: TelemetryViews;
  workshop: Workshop;
  events: EventHub;
  state(readOnly: boolean): Promise<ConsoleState>;
  knobs(): Promise<KnobView[]>;
  turn(name: string, value: number | string): Promise<Turn>;
  version: string;
  close(): Promise<void>;
}

/** Telemetry that still comes in and a report take seconds. */
const ATTEMPT_MS = 500;
const ATTEMPTS = 60;

const A_MYSTERY = { name: MYSTERY, title: 'one of them, without telling which' };

export function createConsole(options: ConsoleOptions): Console {
  const { stateDir, runsDir, version } = options;
  const dir = openStateDir(stateDir);
  const instance = randomBytes(8).toString('hex');
  const events = createEventHub();
  const library = createRunLibrary(runsDir);
  const tasks = createTelemetryTasks();
  /** Null without a stack, and while one is not answering. */
  const status = async (): Promise<StackStatus | null> => {
    const found = await findStack(dir).catch(() => null);
    return found?.found ? found.status : null;
  };
  /** A run of another process is written after its load has ended. */
  const recorded = async (id: string) => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      if (library.list().some((run) => run.id === id)) return library.view(id);
      await delay(ATTEMPT_MS);
    }
    return null;
  };
  const knobs = async () => knobViews(await status());
  const sendKnobs = () => void knobs().then((views) => events.send('knobs', views));
  const runs = createRunSession({ ...options, events, onKnobs: sendKnobs, recorded });
  const follower = followLoads(dir, (news) => runs.take(news));
  const onRevealed = async (id: string) => {
    await revealStack(dir);
    runs.reveal(library.view(id));
    sendKnobs();
  };
  const workshop = createWorkshop({ runsDir, onRevealed });

  return {
    ...{ runs, library, workshop, events, knobs, version },
    telemetry: createTelemetryViews({ runs, library, tasks, status }),
    async state(readOnly) {
      const now = await status();
      return {
        ...{ instance, readOnly, version },
        telemetry: telemetryOf(now),
        scenarios: [...loadScenarios().map(({ name, title }) => ({ name, title })), A_MYSTERY],
        knobs: knobViews(now),
        run: runs.view(),
      };
    },
    async turn(name, value) {
      const found = await findStack(dir);
      if (!found.found) throw new StackError('CONTROL_FAILED', 'no stack is running; start a run first');
      const turned = await found.client.turn(name, value);
      sendKnobs();
      return turned;
    },
    async close() {
      follower.close();
      await runs.close();
      events.close();
      await tasks.close();
    },
  };
}

function telemetryOf(status: StackStatus | null): ConsoleState['telemetry'] {
  if (status?.telemetry === null) {
    const reason =
      'the stack sends no telemetry; stop it with "lab down" and start the console without --no-telemetry';
    return { available: false, reason };
  }
  if (status?.telemetry.receiver === 'azure') {
    return { available: false, reason: 'telemetry goes to a resource in Azure; ask it there' };
  }
  return { available: true, reason: '' };
}
