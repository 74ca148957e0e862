import { OPERATION_KINDS, type OperationKind } from '../http/operation.js';

export interface OperationTotal {
  requests: number;
  /** Of the requests, those answered with a status of 400 or more. */
  failed: number;
  /** Of the failed, those answered 429. */
  throttled: number;
  requestUnits: number;
}

/** Requests answered since the start or the last reset, by kind. */
export class OperationTotals {
  #totals = emptyTotals();

  count(kind: OperationKind, status: number, requestUnits: number): void {
    const total = this.#totals[kind];
    total.requests += 1;
    if (status < 400) {
      total.requestUnits += requestUnits;
    } else {
      total.failed += 1;
      if (status === 429) total.throttled += 1;
      else total.requestUnits += requestUnits;
    }
  }

  toJson(): Record<OperationKind, OperationTotal> {
    const copies = Object.entries(this.#totals).map(([kind, total]) => [
      kind,
      { ...total, requestUnits: Math.round(total.requestUnits * 100) / 100 },
    ]);
    return Object.fromEntries(copies) as Record<OperationKind, OperationTotal>;
  }

  clear(): void {
    this.#totals = emptyTotals();
  }
}

function emptyTotals(): Record<OperationKind, OperationTotal> {
  const entries = OPERATION_KINDS.map((kind) => [
    kind,
    { requests: 0, failed: 0, throttled: 0, requestUnits: 0 },
  ]);
  return Object.fromEntries(entries) as Record<OperationKind, OperationTotal>;
}
