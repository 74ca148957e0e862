import { isMeasureName, MEASURE_TABLE } from '../analysis/measure-table.js';
import { quantity, withUnit } from '../analysis/quantity.js';
import { describeRange } from '../results/expected.js';
import type { ResultFinding, RunResult } from '../results/result-schema.js';
import { publishedRows } from './difference-notes.js';
import { caveatOf, figure } from './key-figures.js';
import { markdownTable } from './layout.js';

/** `report.md` of one run. */
export function runMarkdown(result: RunResult): string {
  const caveat = caveatOf(result);
  const sections = [
    `# ${result.scenario.title}\n\nRun \`${result.id}\`, scenario \`${result.scenario.name}\`, ${result.startedAt}.`,
    caveat === '' ? '' : `> **${caveat}**`,
    diagnosisSection(result),
    publishedSection(result),
    expectedSection(result),
    stepsSection(result),
    partitionsSection(result),
    measuresSection(result),
    validitySection(result),
    setupSection(result),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function diagnosisSection({ diagnosis, telemetry }: RunResult): string {
  const [first, ...others] = diagnosis.findings;
  if (first === undefined) return '';
  const parts = [`## Bottleneck: ${first.title}`, findingText(first, telemetry)];
  for (const other of others)
    parts.push(
      `### ${other.confidence === 'low' ? 'Perhaps' : 'Also'}: ${other.title}`,
      findingText(other, telemetry),
    );
  return parts.join('\n\n');
}

function findingText({ evidence, next, confidence }: ResultFinding, telemetry: boolean): string {
  return [
    ...evidence.map((one) => `- ${capital(one.text)}.${queryNote(one, telemetry)}`),
    '',
    `Confidence: ${confidence}. To try next:`,
    '',
    ...next.map((one) => `- ${one.text}${one.knob === null ? '' : ` (\`${one.knob}\`)`}`),
  ].join('\n');
}

/** Where there is telemetry to ask: the query that shows it. */
function queryNote({ query }: ResultFinding['evidence'][number], telemetry: boolean): string {
  return telemetry && query !== null ? ` Query: \`${query}\`.` : '';
}

function publishedSection(result: RunResult): string {
  const rows = publishedRows(result);
  if (rows.length === 0) return '';
  const table = markdownTable(
    ['measure', 'measured', 'published', 'difference', 'remark'],
    rows.map(({ measure, unit, measured, published, differencePercent, note }) => [
      `\`${measure}\``,
      withUnit(measured, unit, 3),
      withUnit(published, unit, 3),
      differencePercent === null ? '' : `${differencePercent > 0 ? '+' : ''}${quantity(differencePercent)} %`,
      note,
    ]),
    [1, 2, 3],
  );
  return `## Measured and published\n\nTest ${result.published?.test} of the article.\n\n${table}`;
}

function expectedSection({ expected }: RunResult): string {
  if (expected === null) return '';
  const outcome = (ok: boolean | null, reason: string) => {
    if (ok === null) return `not judged: ${reason}`;
    return ok ? 'met' : 'missed';
  };
  const { bottleneck } = expected;
  const rows = [
    ['bottleneck', bottleneck.expected, bottleneck.found, outcome(bottleneck.ok, 'the run is not valid')],
    ...expected.measures.map((range) => [
      `\`${range.measure}\``,
      describeRange(range),
      range.value === null ? '-' : withUnit(range.value, range.unit, 3),
      outcome(range.ok, range.reason),
    ]),
  ];
  return `## Expected ranges\n\n${markdownTable(['measure', 'expected', 'measured', ''], rows, [2])}`;
}

function stepsSection({ steps }: RunResult): string {
  if (steps.length === 0) return '';
  const rows = steps.map(({ name, fromSecond, toSecond, users, measures }) => [
    name,
    `${fromSecond} to ${toSecond} s`,
    quantity(users),
    figure(measures['throughput.mean']),
    figure(measures['client.meanMs']),
    figure(measures['client.p95Ms']),
    figure(measures['utilization.meanMs']),
    figure(measures['cosmos.throttled']),
    figure(measures['partition.peakPercent']),
    figure(measures['cpu.delivery.meanPercent']),
  ]);
  const header = [
    'step',
    'time',
    'users',
    'req/s',
    'invoice ms',
    'p95 ms',
    'GetDroneUtilization ms',
    '429',
    'hottest partition %',
    'delivery CPU %',
  ];
  return `## Steps\n\n${markdownTable(header, rows, [2, 3, 4, 5, 6, 7, 8, 9])}`;
}

function partitionsSection({ partitions }: RunResult): string {
  if (partitions.length === 0) return '';
  const rows = partitions.map((one) => [
    `${one.container}/${one.partition}`,
    quantity(one.limitRuPerSecond, 3),
    quantity(one.peakRuPerSecond, 3),
    quantity(one.sustainedRuPerSecond, 3),
    quantity(one.requests),
    quantity(one.throttled),
    one.firstThrottledSecond === null ? '' : `${one.firstThrottledSecond} s`,
  ]);
  const header = ['partition', 'limit RU/s', 'peak RU/s', 'best 5 s RU/s', 'requests', '429', 'first 429'];
  return `## Physical partitions\n\n${markdownTable(header, rows, [1, 2, 3, 4, 5, 6])}`;
}

function measuresSection({ measures, lastQuarter }: RunResult): string {
  const rows = Object.entries(measures).map(([name, value]) => {
    const unit = isMeasureName(name) ? MEASURE_TABLE[name].unit : '';
    return [`\`${name}\``, figure(value), figure(lastQuarter[name]), unit];
  });
  return `## All measures\n\n${markdownTable(['measure', 'whole load', 'last quarter', 'unit'], rows, [1, 2])}`;
}

function validitySection({ validity }: RunResult): string {
  const mark = (ok: boolean | null) => (ok === null ? 'unknown' : ok ? 'ok' : '**failed**');
  const rows = validity.checks.map(({ check, ok, text }) => [check, mark(ok), text]);
  const verdict = validity.valid ? 'This run is valid.' : 'This run is **not valid**.';
  return `## Validity\n\n${verdict}\n\n${markdownTable(['check', '', 'seen'], rows)}`;
}

function setupSection(result: RunResult): string {
  const { machine, calibration, load, knobs } = result;
  const latency = (of: { meanMs: number; coefficientOfVariation: number }) =>
    `mean ${quantity(of.meanMs)} ms, coefficient of variation ${quantity(of.coefficientOfVariation)}`;
  const rows = [
    [
      'provisioned throughput',
      `${quantity(knobs.ruPerSecond)} RU/s in ${knobs.physicalPartitions} physical partitions`,
    ],
    ['query', `${knobs.queryFanout}, partition key ${knobs.partitionKey}`],
    ['throughput saved for later', `${knobs.burstSeconds} s`],
    ['base charge of a partition query', `${knobs.queryBaseRu} RU`],
    ['latency of a partition query', latency(knobs.queryLatency)],
    ['latency of a point read', latency(knobs.pointReadLatency)],
    ['ceiling of delivery', `${quantity(knobs.deliveryRequestsPerSecond)} req/s`],
    [
      'calibration',
      calibration === null
        ? 'none'
        : `${quantity(calibration.deliveryCpuLimitCores, 3)} cores, found ${quantity(calibration.ceilingRequestsPerSecond)} req/s (${calibration.source})`,
    ],
    [
      'load',
      load === null
        ? 'never started'
        : `${load.profile}, ${result.plannedSeconds} s, think time ${load.thinkTimeSeconds} s, ${load.engine.name} ${load.engine.version}, exit code ${load.exitCode} (${load.meaning})`,
    ],
    ['seed', String(result.seed)],
    ['telemetry', telemetryText(result)],
    [
      'target',
      `${result.target.kind}, database: ${result.target.database}${result.target.calibrated ? '' : ', not calibrated'}`,
    ],
    [
      'machine',
      `${machine.cpuModel}, ${machine.cores} cores, ${quantity(machine.memoryBytes / 2 ** 30)} GiB, ${machine.os}, Node ${machine.node}`,
    ],
    [
      'versions',
      Object.entries(result.versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
  ];
  return `## Set-up\n\n${markdownTable(['what', 'value'], rows)}`;
}

function telemetryText({ telemetry, telemetryUse }: RunResult): string {
  if (telemetryUse === null) return telemetry ? 'on' : 'off';
  const { sdk, receiver, samplingRatio } = telemetryUse;
  return `on: ${sdk}, to ${receiver === 'azure' ? 'Azure' : 'the stand-in'}, ${quantity(100 * samplingRatio)} % of traces`;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
