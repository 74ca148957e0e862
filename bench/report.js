/** @import { BenchmarkResult, Finding, Measured } from './result.js' */

const LABEL_WIDTH = 52;
const VALUE_WIDTH = 14;

/**
 * @param {{ name: string, about: string, seconds: number, loadBefore: number, loadAfter: number, result: BenchmarkResult }} run
 */
export function reportText({ name, about, seconds, loadBefore, loadAfter, result }) {
  const head = `${name}: ${about}`;
  if (result.skipped !== undefined) return `${head}\n  skipped: ${result.skipped}\n`;
  return [
    head,
    ...result.measured.map(measuredLine),
    ...result.findings.map(findingLine),
    ...(result.notes ?? []).map((note) => `  ${note}`),
    `  ${seconds.toFixed(0)} s; load average ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after\n`,
  ].join('\n');
}

/** @param {Measured} measured */
function measuredLine({ label, unit, median, best, rounds }) {
  const spread = rounds.length > 1 ? `best ${number(best)}, ${rounds.length} rounds` : '';
  return line(label, `${number(median)} ${unit}`, spread);
}

/** @param {Finding} finding */
function findingLine({ label, unit, value, best, pairs, atMost, atLeast, met }) {
  const parts = [];
  if (pairs !== undefined) parts.push(`pairs ${pairs.map(number).join(' ')}`);
  if (best !== undefined) parts.push(`best-of ${number(best)}`);
  if (atMost !== undefined) parts.push(`goal: at most ${atMost}${unit && ` ${unit}`}`);
  if (atLeast !== undefined) parts.push(`goal: at least ${atLeast}${unit && ` ${unit}`}`);
  if (met !== undefined) parts.push(met ? 'met' : 'MISSED');
  return line(label, `${number(value)} ${unit}`, parts.join('; '));
}

/**
 * @param {string} label
 * @param {string} value
 * @param {string} remark
 */
function line(label, value, remark) {
  return `  ${label.padEnd(LABEL_WIDTH)} ${value.trimEnd().padStart(VALUE_WIDTH)}   ${remark}`.trimEnd();
}

/** Three significant digits, without an exponent. @param {number} value */
function number(value) {
  if (Math.abs(value) >= 100) return value.toFixed(0);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}
