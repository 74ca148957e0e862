export { formatComparison } from './format-comparison.js';
export { formatProgression } from './format-progression.js';
export { formatRun } from './format-run.js';
export { type ReportedRun, reportedRun, whyNoTransaction } from './html/reported-run.js';
export { progressionMarkdown } from './progression-markdown.js';
export { runMarkdown } from './run-markdown.js';
