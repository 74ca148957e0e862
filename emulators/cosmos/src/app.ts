import { randomUUID } from 'node:crypto';
import type http from 'node:http';
import type { ControlRoutes } from './control/control-routes.js';
import type { FaultRules } from './control/fault-rules.js';
import { CosmosError } from './errors.js';
import type { RequestContext } from './handlers/request-context.js';
import type { MasterKeyAuthorization } from './http/authorization.js';
import { assertConsistencyLevel } from './http/consistency.js';
import { Exchange, errorReply, type Reply, send } from './http/exchange.js';
import { handlerOf } from './http/handlers.js';
import type { Operation, OperationKind } from './http/operation.js';
import { BODY_BYTES_LIMIT, readBody } from './http/request-body.js';
import { type Route, routeOf } from './http/routes.js';
import type { DeadlineQueue } from './latency/deadline-queue.js';
import { ARRIVAL_SHARE, REFUSAL_MS } from './latency/latency-model.js';
import type { OperationTotals } from './metrics/operation-totals.js';
import type { ProcessMetrics } from './metrics/process-metrics.js';

export interface AppOptions {
  context: RequestContext;
  authorization: MasterKeyAuthorization;
  deadlines: DeadlineQueue;
  totals: OperationTotals;
  processMetrics: ProcessMetrics;
  control: ControlRoutes;
  faults: FaultRules;
  /** Told of errors that are the emulator's own fault. */
  onError: (error: unknown) => void;
}

const SNAPSHOT_BYTES_LIMIT = 256 * 1024 * 1024;

/** From a request to its answer: route, signature, operation, latency, execution. */
export class App {
  readonly #options: AppOptions;
  readonly #activityPrefix = randomUUID().slice(0, 24);
  #activities = 0;

  constructor(options: AppOptions) {
    this.#options = options;
  }

  readonly handle = (request: http.IncomingMessage, response: http.ServerResponse): void => {
    this.#options.processMetrics.touch();
    let route: Route;
    try {
      route = routeOf(request.url ?? '/');
    } catch (error) {
      this.#refuse(request, response, error);
      return;
    }
    if (hasNoBody(request)) {
      this.#dispatch(new Exchange(request, response, route, ''));
      return;
    }
    // Snapshots come through a control route and may be large.
    const limitBytes = route.kind === 'control' ? SNAPSHOT_BYTES_LIMIT : BODY_BYTES_LIMIT;
    readBody({ request, limitBytes }, (body) => {
      if (body === null) {
        const message = `Request size is too large: a body may have at most ${limitBytes} bytes.`;
        this.#fail(
          new Exchange(request, response, route, ''),
          new CosmosError('requestEntityTooLarge', message),
        );
      } else {
        this.#dispatch(new Exchange(request, response, route, body));
      }
    });
  };

  #dispatch(exchange: Exchange): void {
    const { authorization, context, control, faults } = this.#options;
    if (exchange.route.kind === 'control') {
      control.handle(exchange);
      return;
    }
    try {
      const { method, route } = exchange;
      const operationHandler = handlerOf(exchange);
      authorization.assertValid({
        method,
        route,
        authorization: exchange.header('authorization'),
        xMsDate: exchange.header('x-ms-date'),
        date: exchange.header('date'),
      });
      assertConsistencyLevel(exchange.header('x-ms-consistency-level'));
      const operation = operationHandler(exchange, context);
      const rule = faults.isEmpty ? null : faults.match(operation);
      if (rule === null) {
        this.#run(exchange, operation);
      } else {
        faults.apply(rule, exchange, {
          run: () => this.#run(exchange, operation),
          fail: (error) => this.#fail(exchange, error, operation.kind),
        });
      }
    } catch (error) {
      this.#fail(exchange, error);
    }
  }

  /** At once, or in the two parts of a modelled latency: the way to the partition, and the rest. */
  #run(exchange: Exchange, operation: Operation): void {
    const { container, partition, latency } = operation;
    const distribution = latency === undefined ? undefined : container?.model.latency[latency];
    if (distribution === undefined || partition === undefined || latency === undefined) {
      this.#answer(exchange, this.#execute(operation));
      return;
    }
    const latencyMs = partition.latency.next(latency, distribution);
    const { deadlines } = this.#options;
    const arrivalMs = exchange.startedMs + ARRIVAL_SHARE * latencyMs;
    deadlines.at(arrivalMs, () => {
      // A client that has gone away has not reached the partition.
      if (exchange.response.destroyed) return;
      const reply = this.#execute(operation);
      const endMs = reply.status === 429 ? arrivalMs + REFUSAL_MS : exchange.startedMs + latencyMs;
      deadlines.at(endMs, () => this.#answer(exchange, reply));
    });
  }

  #execute(operation: Operation): Reply {
    let reply: Reply;
    try {
      reply = operation.execute();
    } catch (error) {
      reply = this.#replyFor(error);
    }
    this.#options.totals.count(operation.kind, reply.status, reply.requestCharge);
    return reply;
  }

  /** A request that was not executed. */
  #fail(exchange: Exchange, error: unknown, kind?: OperationKind): void {
    const reply = this.#replyFor(error);
    if (kind !== undefined) this.#options.totals.count(kind, reply.status, reply.requestCharge);
    this.#answer(exchange, reply);
  }

  #answer(exchange: Exchange, reply: Reply): void {
    this.#activities += 1;
    send(exchange, reply, this.#activityPrefix + this.#activities.toString(16).padStart(12, '0'));
  }

  #refuse(request: http.IncomingMessage, response: http.ServerResponse, error: unknown): void {
    const nowhere: Route = {
      kind: 'account',
      databaseId: '',
      containerId: '',
      id: '',
      signedType: '',
      signedLink: '',
    };
    request.resume();
    this.#fail(new Exchange(request, response, nowhere, ''), withMethod(error, request));
  }

  #replyFor(error: unknown): Reply {
    if (error instanceof CosmosError) return errorReply(error);
    this.#options.onError(error);
    const message = `The emulator failed: ${error instanceof Error ? error.message : String(error)}`;
    return errorReply(new CosmosError('internalServerError', message, { cause: error }));
  }
}

function withMethod(error: unknown, { method, url }: http.IncomingMessage): unknown {
  if (!(error instanceof CosmosError)) return error;
  return new CosmosError(error.kind, `${error.message} (${method} ${url})`, { cause: error });
}

function hasNoBody({ headers }: http.IncomingMessage): boolean {
  const length = headers['content-length'];
  return (length === undefined || length === '0') && headers['transfer-encoding'] === undefined;
}
