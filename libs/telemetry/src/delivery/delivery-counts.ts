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

export function countLost(items: number, reason: string): void {
  if (items === 0) return;
  counts.lost += items;
  counts.lastReason = reason;
}

/** Counts since the start of the process, over all receivers. */
export function deliveryCounts(): Readonly<DeliveryCounts> {
  return { ...counts };
}

/** A batch under way. Its end is counted once. */
export class Delivery {
  readonly #items: number;

  constructor(items: number) {
    this.#items = items;
    underWay.add(this);
  }

  /** `accepted` of the batch's items arrived; the others are lost for `reason`. */
  end(accepted: number, reason: string): void {
    if (!underWay.delete(this)) return;
    counts.delivered += accepted;
    countLost(this.#items - accepted, reason);
    if (underWay.size === 0) for (const resolve of waiting.splice(0)) resolve();
  }
}

const underWay = new Set<Delivery>();
const waiting: (() => void)[] = [];

/** Resolves once no batch is under way: the SDK's shutdown does not wait for those that it had begun before. */
export async function deliveriesEnded(): Promise<void> {
  if (underWay.size > 0) await new Promise<void>((resolve) => waiting.push(resolve));
}

/** Counts what is still under way as lost, as nobody will wait for it any more. */
export function abandonDeliveries(reason: string): void {
  for (const delivery of [...underWay]) delivery.end(0, reason);
}
