import { CosmosError, type ErrorKind } from '../errors.js';
import type { Exchange } from '../http/exchange.js';
import type { Operation, OperationKind } from '../http/operation.js';
import type { DeadlineQueue } from '../latency/deadline-queue.js';
import { type Random, seededRandom } from '../latency/random.js';
import { requestRateTooLarge } from '../throughput/admission.js';

/** What happens to a request that a rule hits. */
export type FaultAction = '429' | '449' | '503' | 'reset' | 'delay';

export interface FaultRuleDefinition {
  action: FaultAction;
  /** Conditions; what is absent matches everything. */
  database?: string | undefined;
  container?: string | undefined;
  partitionKeyRangeId?: string | undefined;
  operations?: OperationKind[] | undefined;
  /** Share of matching requests that are hit, 0 to 1. */
  rate: number;
  /** Hits until the rule is used up; null is without end. */
  count: number | null;
  /** For `delay`. */
  delayMs: number;
  /** For `429` and `449`. */
  retryAfterMs: number;
  seed: number;
}

export interface FaultRule extends FaultRuleDefinition {
  id: number;
  hits: number;
}

/** How a hit request may go on. */
export interface FaultedRequest {
  run(): void;
  fail(error: CosmosError): void;
}

/** Faults injected on purpose, in order of definition; the first rule that hits a request decides. */
export class FaultRules {
  readonly #deadlines: DeadlineQueue;
  #rules: { rule: FaultRule; random: Random }[] = [];
  #nextId = 1;

  constructor(deadlines: DeadlineQueue) {
    this.#deadlines = deadlines;
  }

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  list(): FaultRule[] {
    return this.#rules.map(({ rule }) => rule);
  }

  add(definition: FaultRuleDefinition): FaultRule {
    const rule: FaultRule = { ...definition, id: this.#nextId++, hits: 0 };
    this.#rules.push({ rule, random: seededRandom(rule.seed) });
    return rule;
  }

  /** @returns whether there was such a rule */
  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter(({ rule }) => rule.id !== id);
    return this.#rules.length < before;
  }

  clear(): void {
    this.#rules = [];
  }

  /** @returns the rule that hits this request, counted as hit */
  match(operation: Operation): FaultRule | null {
    for (const { rule, random } of this.#rules) {
      if (!applies(rule, operation)) continue;
      if (rule.count !== null && rule.hits >= rule.count) continue;
      if (rule.rate < 1 && random() >= rule.rate) continue;
      rule.hits += 1;
      return rule;
    }
    return null;
  }

  apply(rule: FaultRule, exchange: Exchange, { run, fail }: FaultedRequest): void {
    switch (rule.action) {
      case 'reset':
        exchange.request.socket.resetAndDestroy();
        return;
      case 'delay':
        this.#deadlines.at(exchange.startedMs + rule.delayMs, run);
        return;
      case '429':
        fail(requestRateTooLarge(rule.retryAfterMs));
        return;
      default: {
        const kind: ErrorKind = rule.action === '449' ? 'retryWith' : 'serviceUnavailable';
        const details = rule.action === '449' ? { retryAfterMs: rule.retryAfterMs } : {};
        fail(new CosmosError(kind, `Fault injected by rule ${rule.id}: ${rule.action}.`, details));
      }
    }
  }
}

function applies(rule: FaultRule, { kind, container, partition }: Operation): boolean {
  if (rule.operations !== undefined && !rule.operations.includes(kind)) return false;
  if (rule.database !== undefined && rule.database !== container?.database.id) return false;
  if (rule.container !== undefined && rule.container !== container?.id) return false;
  return rule.partitionKeyRangeId === undefined || rule.partitionKeyRangeId === partition?.id;
}
