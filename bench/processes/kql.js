// The evaluator's own benchmark, in a process of its own: a million rows should not share a heap with anything else.
import { benchKql } from '../../emulators/app-insights/bench/kql.js';
import { announce } from './meter.js';

announce({});
process.send?.({ type: 'done', cases: benchKql({ rows: 1_000_000, rounds: 7 }) });
