import type { DependencyRow, OperationRow } from '@bottleneck-lab/contracts';
import { DurationLog } from './duration-log.js';

/** A finished request. */
export interface OperationEvent {
  operation: string;
  durationMs: number;
  failed: boolean;
  cancelled: boolean;
}

/** A finished outbound attempt. */
export interface DependencyEvent {
  operation: string;
  type: string;
  target: string;
  partition?: string;
  resultCode: string;
  durationMs: number;
  /** Repeats an earlier attempt of the same request. */
  retry: boolean;
  requestCharge?: number;
  retryWaitMs?: number;
}

type Identity = { second: number; role: string; instance: string };
type Entry<Row> = Omit<Row, keyof Identity | 'kind' | 'count' | 'duration'> & { durations: DurationLog };

/** Requests and outbound attempts that ended in one second. */
export class SecondLog {
  readonly #operations = new Map<string, Entry<OperationRow>>();
  readonly #dependencies = new Map<string, Entry<DependencyRow>>();

  addOperation({ operation, durationMs, failed, cancelled }: OperationEvent): void {
    let entry = this.#operations.get(operation);
    if (!entry) {
      entry = { operation, failed: 0, cancelled: 0, durations: new DurationLog() };
      this.#operations.set(operation, entry);
    }
    entry.durations.record(durationMs);
    if (failed) entry.failed += 1;
    if (cancelled) entry.cancelled += 1;
  }

  addDependency(event: DependencyEvent): void {
    const { operation, type, target, resultCode, partition = '' } = event;
    const key = `${operation}\n${type}\n${target}\n${partition}\n${resultCode}`;
    let entry = this.#dependencies.get(key);
    if (!entry) {
      entry = {
        ...{ operation, type, target, partition, resultCode },
        ...{ retries: 0, requestCharge: 0, retryWaitMs: 0, durations: new DurationLog() },
      };
      this.#dependencies.set(key, entry);
    }
    entry.durations.record(event.durationMs);
    if (event.retry) entry.retries += 1;
    entry.requestCharge += event.requestCharge ?? 0;
    entry.retryWaitMs += event.retryWaitMs ?? 0;
  }

  rows(identity: Identity, options: { final: boolean }): (OperationRow | DependencyRow)[] {
    const shared = <D extends { durations: DurationLog }>({ durations, ...fields }: D) => ({
      ...identity,
      ...fields,
      count: durations.count,
      duration: durations.summarize(options),
    });
    return [
      ...[...this.#operations.values()].map((e) => ({ kind: 'operation' as const, ...shared(e) })),
      ...[...this.#dependencies.values()].map((e) => ({ kind: 'dependency' as const, ...shared(e) })),
    ];
  }
}
