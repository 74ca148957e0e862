/** What became of the telemetry of this process. */
export interface DeliveryCounts {
  /** Items that a receiver accepted. */
  delivered: number;
  /** Items that were given up: refused, unreachable for too long, or more than the queues hold. */
  lost: number;
  /** Why items were lost last; null when none were. */
  lastReason: string | null;
}

const counts: DeliveryCounts = { delivered: 0, lost: 0, lastReason: null };

export function countDelivered(items: number): void {
  counts.delivered += items;
}

export function countLost(items: number, reason: string): void {
  if (items === 0) return;
  counts.lost += items;
  counts.lastReason = reason;
}

/** Counts since the start of the process, over all receivers. */
export function deliveryCounts(): Readonly<DeliveryCounts> {
  return { ...counts };
}
