import { styleText } from 'node:util';
import { formatMetric, formatValue } from './format.js';
import { percentileOf } from './sink.js';
import type { GroupSummary, MetricSummary, SummaryData } from './summary-data.js';

const SECTIONS: readonly (readonly [title: string, belongs: (name: string) => boolean])[] = [
  ['HTTP', (name) => name.startsWith('http_')],
  [
    'EXECUTION',
    (name) =>
      /^(iteration|iterations|iteration_duration|dropped_iterations|vus|vus_max|group_duration)$/.test(name),
  ],
  ['NETWORK', (name) => name.startsWith('data_')],
];
/** Parts of a request that only matter to somebody who looks for them; they are in the exported summary. */
const DETAILS = /^http_req_(blocked|connecting|tls_handshaking|sending|waiting|receiving)$/;

type Paint = (style: 'bold' | 'green' | 'red' | 'dim', text: string) => string;

/** The end-of-test text: thresholds, checks, and metrics in groups, in the manner of k6. */
export function summaryText(data: SummaryData): string {
  const paint: Paint = (style, text) => (data.options.noColor ? text : styleText(style, text));
  const timeUnit = data.options.summaryTimeUnit;
  const parts = [thresholdsText(data, paint), checksText(data, paint)];
  const own = Object.keys(data.metrics).filter((name) => isCustom(name));
  parts.push(sectionText('CUSTOM', own, { data, paint, timeUnit }));
  for (const [title, belongs] of SECTIONS) {
    const names = Object.keys(data.metrics).filter(
      (name) => belongs(baseName(name)) && !DETAILS.test(baseName(name)),
    );
    parts.push(sectionText(title, names, { data, paint, timeUnit }));
  }
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function baseName(name: string): string {
  return name.split('{')[0] as string;
}

function isCustom(name: string): boolean {
  const base = baseName(name);
  return base !== 'checks' && !SECTIONS.some(([, belongs]) => belongs(base));
}

function thresholdsText({ metrics, options }: SummaryData, paint: Paint): string {
  const lines: string[] = [];
  for (const [name, metric] of Object.entries(metrics)) {
    const thresholds = Object.entries(metric.thresholds ?? {});
    if (thresholds.length === 0) continue;
    lines.push(`    ${name}`);
    for (const [source, { ok }] of thresholds) {
      const aggregation = source.split(/[<>=!]/)[0]?.trim() ?? '';
      lines.push(
        `    ${mark(ok, paint)} '${source}' ${observed(metric, aggregation, options.summaryTimeUnit)}`,
      );
    }
    lines.push('');
  }
  return lines.length === 0 ? '' : `\n${paint('bold', '  THRESHOLDS')}\n\n${lines.join('\n')}`;
}

function observed(metric: MetricSummary, aggregation: string, timeUnit: string): string {
  const value = metric.values[aggregation];
  if (value === undefined) return '';
  if (metric.type === 'rate') return `${aggregation}=${(value * 100).toFixed(2)}%`;
  const contains =
    aggregation === 'count' && percentileOf(aggregation) === undefined ? 'default' : metric.contains;
  return `${aggregation}=${formatValue(value, contains, timeUnit)}`;
}

function checksText({ root_group: root }: SummaryData, paint: Paint): string {
  const lines = groupLines(root, '', paint);
  return lines.length === 0 ? '' : `\n${paint('bold', '  CHECKS')}\n\n${lines.join('\n')}\n`;
}

function groupLines(group: GroupSummary, prefix: string, paint: Paint): string[] {
  const lines = group.checks.map(({ name, passes, fails }) => {
    const share =
      fails === 0
        ? ''
        : ` (${((passes / (passes + fails)) * 100).toFixed(0)}%: ${passes} passed, ${fails} failed)`;
    return `    ${mark(fails === 0, paint)} ${prefix}${name}${share}`;
  });
  return [
    ...lines,
    ...group.groups.flatMap((child) => groupLines(child, `${prefix}${child.name} > `, paint)),
  ];
}

function sectionText(
  title: string,
  names: readonly string[],
  { data, paint, timeUnit }: { data: SummaryData; paint: Paint; timeUnit: string },
): string {
  if (names.length === 0) return '';
  const labels = names.map((name) =>
    name.includes('{') ? `  { ${name.slice(name.indexOf('{') + 1, -1)} }` : name,
  );
  const width = Math.max(...labels.map((label) => label.length)) + 3;
  const lines = names.map((name, i) => {
    const dots = paint('dim', '.'.repeat(width - (labels[i] as string).length));
    return `    ${labels[i]}${dots}: ${formatMetric(data.metrics[name] as MetricSummary, timeUnit)}`;
  });
  return `\n${paint('bold', `  ${title}`)}\n\n${lines.join('\n')}`;
}

function mark(ok: boolean, paint: Paint): string {
  return ok ? paint('green', '✓') : paint('red', '✗');
}
