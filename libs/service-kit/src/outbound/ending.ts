/**
 * The end of one call before its answer: its deadline, or nobody waits any more. A signal with one listener, which costs
 * nothing until it happens.
 */
export class Ending {
  /** Why, once it has happened. */
  reason: Error | undefined;
  /** Called once, when it happens. */
  onEnd: ((reason: Error) => void) | undefined;

  end(reason: Error): void {
    if (this.reason) return;
    this.reason = reason;
    this.onEnd?.(reason);
  }
}
