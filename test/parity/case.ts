import type { Target } from './target.js';

/** One feature of the service, shown with the official client. */
export interface ConformanceCase {
  area: string;
  feature: string;
  run(target: Target): Promise<void>;
}
