// Prints the test counts from the runner's JSON report as the closing line, and fails when no test ran or one failed.
import { readFileSync } from 'node:fs';

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const {
  numPassedTests: passed,
  numFailedTests: failed,
  numPendingTests: pending,
  numTodoTests: todo,
} = report;
const failedSuites = report.testResults.filter(
  (suite) => suite.status === 'failed' && suite.assertionResults.length === 0,
);
for (const suite of failedSuites) console.log(`suite failed before its tests: ${suite.name}`);
for (const suite of report.testResults) {
  for (const test of suite.assertionResults) {
    if (test.status === 'pending' || test.status === 'skipped') console.log(`skipped: ${test.fullName}`);
    if (test.status === 'failed') console.log(`failed: ${test.fullName}`);
  }
}
console.log(`${passed} passed, ${failed + failedSuites.length} failed, ${pending + todo} skipped`);
process.exitCode = failed + failedSuites.length > 0 || passed === 0 ? 1 : 0;
