// The ingestion's own benchmark, in a process of its own.
import { ingestBenchmark } from '../../emulators/app-insights/bench/ingest.js';
import { announce } from './meter.js';

announce({});
process.send?.({ type: 'done', ...(await ingestBenchmark({ items: 50_000, rounds: 5 })) });
