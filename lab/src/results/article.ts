import { readFileSync } from 'node:fs';
import { z } from 'zod';
import type { Measures } from '../analysis/measure-table.js';

const durations = z.object({ mean: z.number(), p50: z.number(), p95: z.number(), p99: z.number() });

const articleTest = z.object({
  name: z.string(),
  ruPerSecond: z.number(),
  throughput: z.object({ meanPerSecond: z.number(), best15sPerSecond: z.number() }),
  utilizationMs: durations,
  deliveryMs: durations,
  packageMs: durations,
  successfulOperations: z.number(),
  cosmosThrottled: z.number(),
  cosmosThrottledPercent: z.number(),
  partitionQueriesPerOperation: z.number(),
  cosmosCallsPerOperation: z.number(),
  ruPerOperation: z.number(),
  peakRuPerSecondOfOnePartition: z.number(),
  provisionedRuPerSecondOfOnePartition: z.number(),
});

const article = z.object({
  source: z.object({
    article: z.string(),
    articleUrl: z.string(),
    notebook: z.string(),
    notebookUrl: z.string(),
    note: z.string(),
  }),
  load: z.object({ durationSeconds: z.number() }),
  tests: z.record(z.string(), articleTest),
});
export type Article = z.output<typeof article>;

let loaded: Article | null = null;

/** The published figures: Microsoft's article and the notebook behind it; sources are named in the file. */
export function readArticle(): Article {
  loaded ??= article.parse(
    JSON.parse(readFileSync(new URL('../../data/article.json', import.meta.url), 'utf8')),
  );
  return loaded;
}

/** One published test under the names of the measures that mean the same. */
export function publishedMeasures(test: number): Measures {
  const published = readArticle().tests[String(test)];
  if (published === undefined) return {};
  const { throughput, utilizationMs, deliveryMs, packageMs } = published;
  return {
    'throughput.mean': throughput.meanPerSecond,
    'throughput.best15s': throughput.best15sPerSecond,
    'utilization.operations': published.successfulOperations,
    'utilization.meanMs': utilizationMs.mean,
    'utilization.p50Ms': utilizationMs.p50,
    'utilization.p95Ms': utilizationMs.p95,
    'utilization.p99Ms': utilizationMs.p99,
    'delivery.meanMs': deliveryMs.mean,
    'package.meanMs': packageMs.mean,
    'cosmos.throttled': published.cosmosThrottled,
    'cosmos.throttledPercent': published.cosmosThrottledPercent,
    'cosmos.queriesPerOperation': published.partitionQueriesPerOperation,
    'cosmos.attemptsPerOperation': published.cosmosCallsPerOperation,
    'cosmos.ruPerOperation': published.ruPerOperation,
    'partition.peakRuPerSecond': published.peakRuPerSecondOfOnePartition,
    'partition.limitRuPerSecond': published.provisionedRuPerSecondOfOnePartition,
  };
}
