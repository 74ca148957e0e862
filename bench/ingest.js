import { withChildren } from './child.js';
import { finding, measured } from './result.js';

/** @type {import('./result.js').Benchmark} */
export const ingest = {
  name: 'ingest',
  about: 'telemetry items a second from body to row, against JSON.parse over the same bodies',
  run: () =>
    withChildren(async (children) => {
      const process = children.start(new URL('./processes/ingest.js', import.meta.url));
      /** @type {{ parse: number, ingest: number, ingestWithLog: number, ratioToParse: number }} */
      const { parse, ingest, ingestWithLog, ratioToParse } = await process.result();
      const of = { unit: 'items/s' };
      return {
        measured: [
          measured('JSON.parse, median of 5', [parse], of),
          measured('taken in, median of 5', [ingest], of),
          measured('with the log on disk, median of 5', [ingestWithLog], of),
        ],
        findings: [
          finding('taken in / JSON.parse', ratioToParse, { atLeast: 0.5 }),
          finding('with the log on disk / JSON.parse', ingestWithLog / parse),
        ],
      };
    }),
};
