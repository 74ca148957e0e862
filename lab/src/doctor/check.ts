/** `fail` keeps the lab from working; `warn` makes its figures doubtful; `info` only tells. */
export type CheckLevel = 'ok' | 'info' | 'warn' | 'fail';

export interface CheckResult {
  name: string;
  level: CheckLevel;
  /** What was found, for example `v20.20.2`. */
  found: string;
  /** How to mend it; empty when there is nothing to mend. */
  remedy: string;
}

export function ok(name: string, found: string): CheckResult {
  return { name, level: 'ok', found, remedy: '' };
}
