import { withChildren } from './child.js';
import { finding, measured } from './result.js';

/** @type {Record<string, { atMost: number }>} */
const GOALS = { 'percentile by bin': { atMost: 1.5 } };

/** @type {import('./result.js').Benchmark} */
export const kql = {
  name: 'kql',
  about: 'the KQL evaluator over 1,000,000 rows, against loops written by hand',
  run: () =>
    withChildren(async (children) => {
      const process = children.start(new URL('./processes/kql.js', import.meta.url), {
        nodeFlags: ['--max-old-space-size=2048'],
      });
      /** @type {{ cases: { name: string, loopMs: number, queryMs: number, ratio: number }[] }} */
      const { cases } = await process.result();
      return {
        measured: cases.flatMap(({ name, loopMs, queryMs }) => [
          measured(`${name}: query, median of 7`, [queryMs], { unit: 'ms' }),
          measured(`${name}: loop, median of 7`, [loopMs], { unit: 'ms' }),
        ]),
        findings: cases.map(({ name, ratio }) => finding(`${name}: query / loop`, ratio, GOALS[name])),
      };
    }),
};
