import { timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';
import type { AdjustableClock } from '../clock.js';
import { CosmosError } from '../errors.js';
import { type Exchange, errorReply, jsonReply, type Reply, send } from '../http/exchange.js';
import type { DeadlineQueue } from '../latency/deadline-queue.js';
import type { OperationTotals } from '../metrics/operation-totals.js';
import type { ProcessMetrics } from '../metrics/process-metrics.js';
import type { Account } from '../store/account.js';
import type { Container } from '../store/container.js';
import { loadSnapshot, parseSnapshot, takeSnapshot } from '../store/snapshot.js';
import { describeContainer } from './container-description.js';
import type { FaultRules } from './fault-rules.js';
import { metricsDocument } from './metrics-document.js';
import { clockChange, faultRule, modelChange, resetRequest } from './schemas.js';

export interface ControlOptions {
  account: Account;
  clock: AdjustableClock;
  totals: OperationTotals;
  processMetrics: ProcessMetrics;
  faults: FaultRules;
  deadlines: DeadlineQueue;
  token: string;
  /** Whether clients on other machines may use the control routes; they need the token in any case. */
  anyHost: boolean;
}

export const TOKEN_HEADER = 'x-emulator-token';

/** `/_emulator/*`: what Azure has no interface for. */
export class ControlRoutes {
  readonly #options: ControlOptions;

  constructor(options: ControlOptions) {
    this.#options = options;
  }

  handle(exchange: Exchange): void {
    let reply: Reply;
    try {
      reply = this.#reply(exchange);
    } catch (error) {
      if (!(error instanceof CosmosError)) throw error;
      reply = errorReply(error);
    }
    send(exchange, reply, '00000000-0000-0000-0000-000000000000');
  }

  #reply(exchange: Exchange): Reply {
    const url = new URL(exchange.request.url ?? '/', 'http://emulator');
    const [, , area = '', ...rest] = url.pathname.split('/').map(decodeURIComponent);
    const route = `${exchange.method} ${area}`;
    if (route === 'GET health') return jsonReply(this.#health());
    this.#assertAllowed(exchange);
    switch (route) {
      case 'GET metrics':
        return jsonReply(metricsDocument(this.#options, sinceOf(url)));
      case 'GET containers':
        return this.#readContainers(rest, url);
      case 'PATCH containers':
        return this.#changeModel(rest, url, exchange);
      case 'POST reset':
        return this.#reset(parsed(resetRequest, exchange));
      case 'GET faults':
        return jsonReply({ faults: this.#options.faults.list() });
      case 'POST faults':
        return jsonReply(this.#options.faults.add(parsed(faultRule, exchange)), { status: 201 });
      case 'DELETE faults':
        return this.#deleteFaults(rest);
      case 'GET clock':
        return jsonReply(this.#clock());
      case 'PATCH clock':
        this.#options.clock.offsetMs = parsed(clockChange, exchange).offsetMs;
        return jsonReply(this.#clock());
      case 'GET snapshot':
        return jsonReply(takeSnapshot(this.#options.account));
      case 'PUT snapshot':
        return this.#loadSnapshot(exchange);
      default:
        throw new CosmosError(
          'notFound',
          `There is no control route ${exchange.method} ${url.pathname}. There are GET health, GET metrics, GET containers, ` +
            'GET and PATCH containers/DATABASE/CONTAINER/model, POST reset, GET, POST and DELETE faults, GET and PATCH clock, GET and PUT snapshot.',
        );
    }
  }

  #health() {
    // Requests that wait for the end of their modelled latency.
    return {
      status: 'ok',
      uptimeSeconds: Math.floor(process.uptime()),
      waiting: this.#options.deadlines.size,
    };
  }

  #assertAllowed(exchange: Exchange): void {
    const { anyHost, token } = this.#options;
    const address = exchange.request.socket.remoteAddress ?? '';
    if (!anyHost && !isLoopback(address)) {
      throw new CosmosError(
        'forbidden',
        `Control routes are for this machine only, not for ${address} (--control-any-host allows it).`,
      );
    }
    const given = Buffer.from(exchange.header(TOKEN_HEADER) ?? '');
    const expected = Buffer.from(token);
    if (given.length === expected.length && timingSafeEqual(given, expected)) return;
    throw new CosmosError(
      'unauthorized',
      `The header ${TOKEN_HEADER} has to carry the control token that was printed at start.`,
    );
  }

  #readContainers(path: string[], url: URL): Reply {
    if (path.length === 0)
      return jsonReply({ containers: [...this.#options.account.containers()].map(describeContainer) });
    return jsonReply(describeContainer(this.#containerOf(path, url)));
  }

  #changeModel(path: string[], url: URL, exchange: Exchange): Reply {
    const container = this.#containerOf(path, url);
    const { physicalPartitions, ...change } = parsed(modelChange, exchange);
    if (physicalPartitions !== undefined) container.setPhysicalPartitions(physicalPartitions);
    const given = Object.entries(change).filter(([, value]) => value !== undefined);
    container.configure(Object.fromEntries(given));
    return jsonReply(describeContainer(container));
  }

  #containerOf(path: string[], url: URL): Container {
    const [database = '', container = '', last] = path;
    if (last !== 'model' || path.length !== 3) {
      throw new CosmosError(
        'notFound',
        `${url.pathname} has to be /_emulator/containers/DATABASE/CONTAINER/model.`,
      );
    }
    return this.#options.account.container(database, container);
  }

  #reset({ budgets, metrics, data, faults }: z.output<typeof resetRequest>): Reply {
    const { account, totals, processMetrics, faults: rules } = this.#options;
    if (data) account.clear();
    for (const container of account.containers()) {
      if (budgets) {
        container.budgets.reset();
        container.reseed();
      }
      if (metrics) for (const [, counters] of container.layout.metrics()) counters.clear();
    }
    if (metrics) {
      totals.clear();
      processMetrics.clear();
    }
    if (faults) rules.clear();
    return jsonReply({ reset: { budgets, metrics, data, faults } });
  }

  #deleteFaults([id]: string[]): Reply {
    const { faults } = this.#options;
    if (id === undefined) faults.clear();
    else if (!faults.remove(Number(id))) throw new CosmosError('notFound', `There is no fault rule ${id}.`);
    return jsonReply({ faults: faults.list() });
  }

  #loadSnapshot(exchange: Exchange): Reply {
    const { account } = this.#options;
    loadSnapshot(account, parseSnapshot(exchange.json()));
    return jsonReply({ containers: [...account.containers()].map(describeContainer) });
  }

  #clock() {
    const { clock } = this.#options;
    return { offsetMs: clock.offsetMs, now: new Date(clock.now()).toISOString() };
  }
}

function isLoopback(address: string): boolean {
  return address === '::1' || address.startsWith('127.') || address.startsWith('::ffff:127.');
}

function sinceOf(url: URL): number {
  const text = url.searchParams.get('since');
  if (text === null) return 0;
  const since = Number(text);
  if (Number.isInteger(since) && since >= 0) return since;
  throw new CosmosError(
    'badRequest',
    `since has to be a Unix time in whole seconds, not ${JSON.stringify(text)}.`,
  );
}

/** Validates a body; every problem is named with its place. An empty body counts as `{}`. */
function parsed<T extends z.ZodType>(schema: T, exchange: Exchange): z.output<T> {
  const result = schema.safeParse(exchange.body === '' ? {} : exchange.json());
  if (result.success) return result.data;
  const problems = result.error.issues.map(
    ({ path, message }) => `${path.length === 0 ? 'body' : path.join('.')}: ${message}`,
  );
  throw new CosmosError('badRequest', problems.join('; '));
}
