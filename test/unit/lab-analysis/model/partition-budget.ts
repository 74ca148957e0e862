/** A physical partition: a budget per second with debt, and unused throughput saved up to a limit. */
export class PartitionBudget {
  private second = -1;
  private left = 0;
  private saved = 0;
  private readonly ruPerSecond: number;
  private readonly savedLimit: number;

  constructor(options: { ruPerSecond: number; burstSeconds: number }) {
    this.ruPerSecond = options.ruPerSecond;
    this.savedLimit = options.burstSeconds * options.ruPerSecond;
  }

  /** Charges a request, or gives the milliseconds until its second ends. */
  admit(nowMs: number, charge: number): { retryAfterMs: number } | null {
    this.advance(Math.floor(nowMs / 1000));
    if (this.left > 0) this.left -= charge;
    else if (this.saved > 0) this.saved -= charge;
    else return { retryAfterMs: Math.max(1, 1000 * (this.second + 1) - nowMs) };
    return null;
  }

  private advance(second: number): void {
    if (second === this.second) return;
    if (this.second >= 0) {
      const idleSeconds = second - this.second - 1;
      const unused = Math.max(0, this.left + idleSeconds * this.ruPerSecond);
      this.saved = Math.min(this.savedLimit, this.saved + unused);
    }
    this.left = this.ruPerSecond + Math.min(0, this.left);
    this.second = second;
  }
}
